#include "harness/timing/timer.hpp"

#include <benchmark/benchmark.h>

#include <exception>
#include <stdexcept>
#include <string>

namespace assay::harness {
namespace {

/// Long enough for a clock of ns, short enough that a process of a few repetitions stays well below a second.
constexpr double seconds_per_repetition = 0.05;

/// Keeps the one run of a repetition and prints nothing; aggregates are dropped.
class Collector : public benchmark::BenchmarkReporter {
 public:
  bool ReportContext(const Context&) override { return true; }
  void ReportRuns(const std::vector<Run>& runs) override {
    for (const Run& run : runs) {
      if (run.run_type != Run::RT_Iteration) continue;
      if (run.error_occurred) error = run.error_message;
      seconds = run.real_accumulated_time;
      iterations = run.iterations;
    }
  }

  double seconds = 0;
  std::int64_t iterations = 0;
  std::string error;
};

/// One repetition: Google Benchmark chooses the count where `iterations` is 0. It may call the body several times to
/// find one, so the state is restored at the start of each; only the last, the longest, is reported.
Collector run_once(std::int64_t iterations, const std::function<void()>& restore, const std::function<void()>& call,
                   std::int64_t& calls) {
  std::exception_ptr thrown;
  benchmark::ClearRegisteredBenchmarks();
  auto* const registered = benchmark::RegisterBenchmark("call", [&](benchmark::State& state) {
    try {
      if (restore) restore();
      for ([[maybe_unused]] auto _ : state) {
        call();
        ++calls;
      }
    } catch (...) {  // Google Benchmark's frames are not written for exceptions: carry it around them
      thrown = std::current_exception();
      state.SkipWithError("it threw");
    }
  });
  registered->UseRealTime()->Repetitions(1);
  if (iterations > 0)
    registered->Iterations(iterations);
  else
    registered->MinTime(seconds_per_repetition);

  Collector collector;
  benchmark::RunSpecifiedBenchmarks(&collector, ".");
  benchmark::ClearRegisteredBenchmarks();
  if (thrown) std::rethrow_exception(thrown);
  if (!collector.error.empty()) throw std::runtime_error("timing failed: " + collector.error);
  if (collector.iterations < 1) throw std::runtime_error("timing failed: Google Benchmark reported no run");
  return collector;
}

}  // namespace

Timing measure(const TimingOptions& options, int repetitions, const std::function<void()>& call) {
  if (options.iterations < 0 || options.warmup < 0 || !(options.items_per_call > 0))
    throw std::invalid_argument("timing: iterations and warmup must be 0 or more, items_per_call above 0");
  if (options.restore) options.restore();
  for (std::int64_t i = 0; i < options.warmup; ++i) call();

  Timing timing;
  std::int64_t iterations = options.iterations;
  for (int repetition = 0; repetition < repetitions; ++repetition) {
    std::int64_t calls = 0;
    const Collector run = run_once(iterations, options.restore, call, calls);
    if (repetition == 0)
      timing.warmup = options.warmup + calls - run.iterations;  // the search for a count warms up too
    iterations = run.iterations;                                // all repetitions have equal counts
    timing.samples.push_back(run.seconds * 1e9 / static_cast<double>(run.iterations) / options.items_per_call);
  }
  return timing;
}

}  // namespace assay::harness
