#pragma once
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace assay::harness {

/// One metric of one configuration in one program, with a sample for each process that counts.
struct MetricSamples {
  std::string unit, better, per;
  std::map<std::int64_t, double> by_round;  // the median of a process's repetitions
  std::string problem;                      // why a process gave no number; empty if all did
  bool declared_exact = false;              // the catalogue declares that every run gives the same number

  /// Whether this is one number that needs no interval.
  bool exact() const { return declared_exact && per == "run"; }
};

/// A check that failed in at least one process of a configuration.
struct FailedCheck {
  std::string configuration, name;
  std::optional<double> measured, limit;  // of the worst process; none if it was not finite
  int processes = 0;
};

/// What the processes that count reported for one configuration in one program.
struct Measured {
  std::string configuration, program;
  std::map<std::string, MetricSamples> metrics;
  std::vector<FailedCheck> failed_checks;
  std::map<std::int64_t, nlohmann::json> predictions;  // the last `predictions` event, by seed
  std::string failed, skipped;                         // why it left its group; empty if it did not
};

/// Keyed by program, then by configuration. `per_of_group` says what one sample of a group is: a round, a seed or a
/// run.
using Measurements = std::map<std::string, std::map<std::string, Measured>>;
Measurements collect(const std::vector<nlohmann::json>& processes,
                     const std::map<std::string, std::string>& per_of_group);

/// Marks the metrics that a program's catalogue declares exact.
void mark_exact(Measurements& measurements, const std::string& program, const nlohmann::json& catalogue);

/// Adds the configurations that left their group, from configurations_that_left(). Some have no process that counts.
void add_left(Measurements& measurements, const nlohmann::json& left);

/// The sample of a `samples` or `value` event: the median of its repetitions. None if one of them is not a number.
std::optional<double> sample_of(const nlohmann::json& event);

nlohmann::json to_json(const FailedCheck& check);

}  // namespace assay::harness
