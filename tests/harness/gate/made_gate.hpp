#pragma once
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "harness/gate/section.hpp"
#include "harness/gate/sequential_gate.hpp"

// Records of a gate as the runner writes them, with samples of the test's choice.
namespace assay::harness {

inline GateBenchmark timed_benchmark(const std::string& configuration = "toy.step",
                                     const std::string& better = "lower") {
  return {configuration,      "step_time", better == "lower" ? "ns" : "items/s", better, CaseKind::timed,
          Preset{0.03, 0.05}, "declared"};
}

inline GateBenchmark counted_benchmark(const std::string& configuration = "toy.count",
                                       const std::string& better = "lower") {
  return {configuration, "kernels", "kernels", better, CaseKind::exact, std::nullopt, "declared"};
}

/// A sequential gate with 16 + 16 rounds for each timed benchmark and one step for each counted one.
class MadeGate {
 public:
  explicit MadeGate(std::vector<GateBenchmark> benchmarks) : benchmarks_(std::move(benchmarks)) {
    for (const auto& one : benchmarks_)
      if (one.exact()) places_.push_back({0, 1, one.configuration});
    for (const int stage : {1, 2})
      for (int round = 1; round <= 16; ++round)
        for (const auto& one : benchmarks_)
          if (!one.exact()) places_.push_back({stage, round, one.configuration});
  }

  SequentialGate sequential_gate() const {
    return {benchmarks_, places_, {default_looks().begin(), default_looks().end()}};
  }

  /// The next step that the gate wants, of this configuration; nothing when it wants none.
  std::optional<std::size_t> next(const SequentialGate& running, const std::string& configuration) const {
    for (std::size_t step = 0; step < places_.size(); ++step)
      if (places_[step].configuration == configuration && !done_.contains(step) && running.wants(step)) return step;
    return std::nullopt;
  }

  /// One complete round; `left` are those that broke.
  void round(SequentialGate& running, std::size_t step, const GateRound& samples,
             const std::string& metric = "step_time") {
    const std::string& configuration = places_[step].configuration;
    process(running, step, "baseline", configuration, metric, samples.a);
    process(running, step, "null", configuration, metric, samples.null_a);
    process(running, step, "candidate", configuration, metric, samples.b1);
    process(running, step, "candidate", configuration, metric, samples.b2);
    close(running, step);
  }

  void process(SequentialGate& running, std::size_t step, const std::string& program, const std::string& configuration,
               const std::string& metric, const nlohmann::json& value, nlohmann::json more = nlohmann::json::array()) {
    more.push_back({{"event", "samples"},
                    {"metric", metric},
                    {"unit", "ns"},
                    {"better", "lower"},
                    {"values", {value, value, value}}});
    running.apply({{"record", "process"},
                   {"step", step},
                   {"program", program},
                   {"configuration", configuration},
                   {"status", "ok"},
                   {"steal_percent", steal},
                   {"wall_s", 0.1},
                   {"events", more}});
  }

  void close(SequentialGate& running, std::size_t step, const nlohmann::json& left = nlohmann::json::array()) {
    running.apply({{"record", "round"}, {"step", step}, {"complete", true}, {"left", left}});
    done_.insert(step);
  }

  /// All that the gate wants of a timed configuration, each round the same; returns how many.
  int run(SequentialGate& running, const std::string& configuration, const GateRound& samples, int most = 1000) {
    int count = 0;
    for (auto step = next(running, configuration); step && count < most; step = next(running, configuration), ++count)
      round(running, *step, samples);
    return count;
  }

  double steal = 0;

 private:
  std::vector<GateBenchmark> benchmarks_;
  std::vector<GatePlace> places_;
  std::set<std::size_t> done_;
};

inline nlohmann::json section_of(const SequentialGate& running, bool fail_on_undecided = false,
                                 const GateSelection& others = {}) {
  GateTerms terms;
  terms.against = "origin/main";
  terms.budget_s = 600;
  terms.fail_on_undecided = fail_on_undecided;
  return gate_section(running, others, terms);
}

}  // namespace assay::harness
