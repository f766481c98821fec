#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "harness/machine/memory.hpp"
#include "harness/machine/read_text.hpp"
#include "harness/machine/topology.hpp"
#include "harness/stats/median.hpp"
#include "harness/timing/timer.hpp"
#include "scenarios/machine/cases.hpp"
#include "scenarios/machine/team.hpp"
#include "scenarios/machine/turns.hpp"
#include "scenarios/machine/working_set.hpp"

namespace assay::scenarios::machine {
namespace {

constexpr double nanoseconds_per_sample = 3e6;  // ends noise of clock and fork-join, keeps the case below 2 s
// Where counting starts: a few ms for the slowest cache; on a busy machine a single pass over a small set would be
// nothing but the wait for the other threads.
constexpr double bytes_per_sample = 3e7;
constexpr double error_limit = 1e-5;  // of the sum of up to 2^26 numbers; copies and triads must be exact

struct Caches {
  std::map<int, std::uint64_t> bytes;  // by level, of one cache that holds data
  int last_level = 0;
  std::uint64_t last_level_total = 0;  // of all caches of the last level
};

Caches data_caches() {
  Caches found;
  for (const auto& cache : harness::topology().caches) {
    if (cache.kind == "instruction") continue;
    found.bytes[cache.level] = cache.bytes;
    if (cache.level >= found.last_level) {
      found.last_level = cache.level;
      found.last_level_total = cache.bytes * static_cast<std::uint64_t>(cache.count);
    }
  }
  return found;
}

std::uint64_t available_memory() {
  const auto text = harness::read_text("/proc/meminfo").value_or("");
  return harness::parse_memory_field(text, "MemAvailable").value_or(std::uint64_t{1} << 30);
}

/// Whether so many passes fill a sample, three times in a row: one that was interrupted must not pass for long enough.
bool fill_a_sample(WorkingSet& set, std::int64_t passes) {
  for (int attempt = 0; attempt < 3; ++attempt)
    if (shortest_in_turns({[&] { set.run(passes); }}, 1)[0] < nanoseconds_per_sample) return false;
  return true;
}

/// Median GB/s (bytes a ns) of one working set.
double rate_of(WorkingSet& set, const harness::Parameters& parameters) {
  auto passes = std::max<std::int64_t>(1, static_cast<std::int64_t>(bytes_per_sample / set.bytes_moved()));
  while (!fill_a_sample(set, passes)) passes *= 2;
  harness::TimingOptions options;
  options.iterations = 1;
  const auto timing = harness::measure(options, parameters.repetitions, [&] { set.run(passes); });
  return set.bytes_moved() * static_cast<double>(passes) / harness::median(timing.samples);
}

/// The rate at the size nearest to half of a cache (all threads' caches together): it fits, with room for what else
/// lives there.
double rate_inside(const harness::Axis& sizes, const harness::Axis& rates, double cache_bytes) {
  std::size_t best = 0;
  for (std::size_t i = 0; i < sizes.values.size(); ++i)
    if (sizes.values[i] <= cache_bytes / 2) best = i;
  return rates.values[best];
}

void measure_walk(const WalkInfo& walk, const std::vector<std::uint64_t>& sizes, const Caches& caches, int threads,
                  const harness::Parameters& parameters, harness::Reporter& report) {
  harness::Axis bytes{"working set, all threads", "B", {}}, speed{"rate", "GB/s", {}};
  double error = 0;
  for (const auto size : sizes) {
    WorkingSet set(walk, size, threads);
    bytes.values.push_back(static_cast<double>(size));
    speed.values.push_back(rate_of(set, parameters));
    error = std::max(error, set.error());
  }
  const std::string name{walk.name};
  report.check(name + "_error", error, error_limit);
  report.series(name, bytes, speed);
  for (const auto& [level, prefix] : {std::pair{1, "l1_"}, std::pair{2, "l2_"}})
    if (const auto cache = caches.bytes.find(level); cache != caches.bytes.end())
      report.value(prefix + name, "GB/s", "higher",
                   rate_inside(bytes, speed, static_cast<double>(cache->second) * threads));
  report.value("largest_" + name, "GB/s", "higher", speed.values.back());
}

}  // namespace

void bandwidth(const harness::Parameters& parameters, harness::Reporter& report) {
  const int threads = team(parameters);
  const auto caches = data_caches();
  const auto largest = largest_working_set(caches.last_level_total, available_memory());
  const bool reaches_memory = largest >= 2 * caches.last_level_total;
  report.choose(
      "largest_working_set",
      {{"bytes", largest},
       {"last_level_cache_bytes", caches.last_level_total},
       {"lies_in",
        reaches_memory ? "memory" : "memory or last-level cache: the machine does not say how much of it is ours"}});
  report.choose("counting", "bytes read plus bytes written by the program; copy is the C library's memcpy");
  const auto sizes = working_set_sizes(largest, threads);
  for (const auto& walk : walks()) measure_walk(walk, sizes, caches, threads, parameters, report);
}

}  // namespace assay::scenarios::machine
