#include <chrono>
#include <stdexcept>

#include "scenarios/machine/cases.hpp"
#include "scenarios/machine/held_matmul.hpp"
#include "scenarios/machine/rapl.hpp"
#include "scenarios/machine/rates.hpp"

namespace assay::scenarios::machine {
namespace {

// the counters move about every ms; a second makes that one part in a thousand
constexpr std::chrono::milliseconds run_time{1000};

struct Use {
  double joules = 0, seconds = 0;
};

std::uint64_t reading_of(const EnergyZone& zone) {
  const auto reading = energy_now(zone);
  if (!reading) throw std::runtime_error(zone.counter.string() + ": the counter cannot be read any more");
  return *reading;
}

template <class Work>
Use measured(const std::vector<EnergyZone>& zones, Work&& work) {
  std::vector<std::uint64_t> before;
  for (const auto& zone : zones) before.push_back(reading_of(zone));
  const auto begin = std::chrono::steady_clock::now();
  work();
  Use use;
  use.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  for (std::size_t i = 0; i < zones.size(); ++i) {
    const auto joules = joules_between(before[i], reading_of(zones[i]), zones[i].range);
    if (!joules) throw std::runtime_error(zones[i].counter.string() + ": the counter fell while it was read");
    use.joules += *joules;
  }
  if (!(use.joules > 0)) throw harness::Skipped("the energy counters stood still while the processors worked");
  return use;
}

}  // namespace

void energy(const harness::Parameters& parameters, harness::Reporter& report) {
  const auto zones = energy_zones();
  if (zones.empty())
    throw harness::Skipped(
        "no readable package counter below /sys/class/powercap (a virtual machine, or energy_uj is for root alone)");
  HeldMatmul matmul(engine::DType::float32, matmul_side, parameters.threads, parameters);
  matmul.run();
  report.choose("matmul", matmul.choice());
  if (!report.check("matmul_error", matmul.error(), matmul.error_limit())) return;

  std::int64_t runs = 0;
  const auto use = measured(zones, [&] {
    for (const auto end = std::chrono::steady_clock::now() + run_time; std::chrono::steady_clock::now() < end; ++runs)
      matmul.run();
  });
  const double count = static_cast<double>(runs);
  report.value("energy", "J", "lower", use.joules / count);
  report.value("power", "W", "", use.joules / use.seconds);
  report.value("efficiency", "GFLOP/J", "higher", matmul.operations() * count / use.joules * 1e-9);
}

}  // namespace assay::scenarios::machine
