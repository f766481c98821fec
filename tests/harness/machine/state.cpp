#include "harness/machine/state.hpp"

#include <unistd.h>

#include <fstream>

#include "tests/catch.hpp"

using namespace assay::harness;
using nlohmann::json;
namespace fs = std::filesystem;

namespace {

/// The files of a made-up machine, gone after the test.
class Root {
 public:
  Root() : path(fs::temp_directory_path() / ("assay-state-" + std::to_string(getpid()))) {
    fs::create_directories(path);
  }
  ~Root() { fs::remove_all(path); }
  void write(const fs::path& file, const std::string& text) const {
    fs::create_directories((path / file).parent_path());
    std::ofstream(path / file) << text;
  }
  fs::path path;
};

}  // namespace

TEST_CASE("settings are read from the files of the kernel") {
  const Root root;
  root.write("sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "performance\n");
  root.write("sys/devices/system/cpu/cpu1/cpufreq/scaling_governor", "powersave\n");
  root.write("sys/devices/system/cpu/cpufreq/boost", "1\n");
  root.write("sys/devices/system/cpu/smt/active", "0\n");
  root.write("sys/devices/system/cpu/cpu0/thermal_throttle/core_throttle_count", "3\n");
  root.write("sys/devices/system/cpu/cpu1/thermal_throttle/core_throttle_count", "4\n");
  root.write("sys/kernel/mm/transparent_hugepage/enabled", "always [madvise] never\n");
  root.write("proc/sys/kernel/randomize_va_space", "2\n");
  root.write("proc/meminfo", "SwapTotal: 1000 kB\nSwapFree: 400 kB\n");
  const auto state = machine_settings(root.path);
  CHECK(state.at("governor") == "performance, powersave");
  CHECK(state.at("turbo") == true);
  CHECK(state.at("smt") == false);
  CHECK(state.at("thermal_throttles") == 7);
  CHECK(state.at("transparent_huge_pages") == "madvise");
  CHECK(state.at("aslr") == 2);
  CHECK(state.at("swap_used_bytes") == 600 * 1024);
  CHECK(state.at("unreadable").empty());
}

TEST_CASE("Intel's driver says whether turbo is off") {
  const Root root;
  root.write("sys/devices/system/cpu/intel_pstate/no_turbo", "1\n");
  CHECK(machine_settings(root.path).at("turbo") == false);
}

TEST_CASE("what cannot be read is null and says why") {
  const auto state = machine_settings("/nonexistent");
  for (const auto* name :
       {"governor", "turbo", "smt", "swap_used_bytes", "transparent_huge_pages", "aslr", "thermal_throttles"}) {
    INFO(name);
    CHECK(state.at(name).is_null());
    CHECK_FALSE(state.at("unreadable").at(name).get<std::string>().empty());
  }
}

TEST_CASE("the state of this machine has every reading or its reason") {
  const auto state = machine_state(std::chrono::milliseconds{30});
  CHECK(state.at("time").get<std::string>().size() == std::string{"2026-11-30T07:00:00Z"}.size());
  CHECK(state.at("busy_processes").is_array());
  for (const auto& [name, value] : state.items())
    if (value.is_null()) CHECK(state.at("unreadable").contains(name));
  const auto steal = state.at("steal_share");
  CHECK((steal.is_null() || (steal >= 0 && steal <= 1)));
}

TEST_CASE("concerns name what disturbs measuring") {
  CHECK(concerns({{"steal_share", 0.01}, {"busy_processes", json::array()}}).empty());
  CHECK(concerns({{"steal_share", nullptr}, {"busy_processes", json::array()}}).empty());
  const auto found =
      concerns({{"steal_share", 0.25}, {"busy_processes", {{{"pid", 17}, {"name", "ninja"}, {"cores", 0.9}}}}});
  REQUIRE(found.size() == 2);
  CHECK(found[0].find("25 %") != std::string::npos);
  CHECK(found[1] == "process ninja (17) uses 90 % of a core");
}
