#include <algorithm>
#include <cmath>

#include "harness/stats/median.hpp"
#include "harness/timing/timer.hpp"
#include "scenarios/machine/cases.hpp"
#include "scenarios/machine/numa_nodes.hpp"
#include "scenarios/machine/streams.hpp"
#include "scenarios/machine/vector.hpp"

namespace assay::scenarios::machine {
namespace {

constexpr std::size_t bytes = std::size_t{256}
                              << 20;  // beyond the share of a last-level cache that one core gets, as a rule
constexpr std::int64_t count = bytes / sizeof(float);

struct Reading {
  double rate = 0;   // GB/s, median
  double error = 0;  // of the sum, relative
};

// one thread on the node where it runs now reads memory of another or the same
Reading reading_from(NumaNodes& nodes, int memory_node, const harness::Parameters& parameters) {
  const auto memory = nodes.allocate_on(memory_node, bytes);
  auto* numbers = reinterpret_cast<float*>(memory.get());
  std::fill(numbers, numbers + count, 1.0F);
  float sum = 0;
  harness::TimingOptions options;
  options.iterations = 1;
  const auto timing = harness::measure(options, parameters.repetitions, [&] {
    sum = read(numbers, count);
    memory_barrier_for_compiler();
  });
  return {static_cast<double>(bytes) / harness::median(timing.samples),
          std::fabs(sum / static_cast<double>(count) - 1)};
}

}  // namespace

void numa(const harness::Parameters& parameters, harness::Reporter& report) {
  NumaNodes nodes;
  const auto& numbers = nodes.nodes();
  report.choose("nodes", numbers);
  if (numbers.size() < 2)
    throw harness::Skipped("one NUMA node holds all CPUs that this run may use: no memory is remote");

  // the first node against the others: a machine of n nodes has n * n pairs
  nodes.run_on(numbers.front());
  const auto local = reading_from(nodes, numbers.front(), parameters);
  double error = local.error;
  std::vector<double> remote;
  for (std::size_t i = 1; i < std::min<std::size_t>(numbers.size(), 4); ++i) {
    const auto reading = reading_from(nodes, numbers[i], parameters);
    remote.push_back(reading.rate);
    error = std::max(error, reading.error);
  }
  if (!report.check("read_error", error, 1e-5)) return;
  report.value("local_read", "GB/s", "higher", local.rate);
  report.value("remote_read", "GB/s", "higher", harness::median(remote));
  report.value("remote_share", "", "higher", harness::median(remote) / local.rate);
}

}  // namespace assay::scenarios::machine
