#include "scenarios/machine/rapl.hpp"

#include <unistd.h>

#include <fstream>

#include "tests/catch.hpp"

using namespace assay::scenarios::machine;
namespace fs = std::filesystem;

TEST_CASE("energy is counted in microjoules and wraps") {
  CHECK(joules_between(1000000, 3500000, 10000000).value() == Approx(2.5));
  CHECK(joules_between(9000000, 1000000, 10000000).value() == Approx(2.0));
  CHECK_FALSE(joules_between(11000000, 1000000, 10000000));  // above its range: it fell without a wrap
}

TEST_CASE("packages are found, their domains and what cannot be read left out") {
  const fs::path root = fs::temp_directory_path() / ("assay-rapl-" + std::to_string(getpid()));
  const auto zone = [&](const char* folder, const char* name, const char* energy) {
    fs::create_directories(root / folder);
    std::ofstream(root / folder / "name") << name << "\n";
    std::ofstream(root / folder / "max_energy_range_uj") << "262143328850\n";
    if (energy[0] != '\0') std::ofstream(root / folder / "energy_uj") << energy << "\n";
  };
  zone("intel-rapl:1", "package-1", "7");
  zone("intel-rapl:0", "package-0", "42");
  zone("intel-rapl:0:0", "core", "1");
  zone("intel-rapl:2", "package-2", "");
  zone("intel-rapl-mmio:0", "package-0", "42");  // the same package, counted by another driver
  zone("intel-rapl:3", "package-3", "-1");
  const auto zones = energy_zones(root);
  fs::remove_all(root / "intel-rapl:1");
  REQUIRE(zones.size() == 2);
  CHECK(zones[0].name == "package-0");
  CHECK(zones[0].range == 262143328850U);
  CHECK(energy_now(zones[0]).value() == 42);
  CHECK_FALSE(energy_now(zones[1]));  // gone meanwhile
  fs::remove_all(root);
}

TEST_CASE("no powercap, no zones") { CHECK(energy_zones("/nonexistent").empty()); }
