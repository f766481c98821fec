#pragma once
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace assay::harness {

/// One metric of one configuration in one program: a sample for each process that counts.
struct MetricSamples {
  std::string unit, better, per;
  std::map<std::int64_t, double> by_round;  // a process's sample: the median of its repetitions
  std::string problem;                      // not empty: a process gave no number
  bool declared_exact = false;              // the catalogue says that the same number comes out each time

  /// One number that stands without an interval.
  bool exact() const { return declared_exact && per == "run"; }
};

/// A check that failed, over the processes of one configuration.
struct FailedCheck {
  std::string configuration, name;
  std::optional<double> measured, limit;  // of the worst; none where it was not finite
  int processes = 0;
};

/// All that the processes that count said of one configuration in one program.
struct Measured {
  std::string configuration, program;
  std::map<std::string, MetricSamples> metrics;
  std::vector<FailedCheck> failed_checks;
  std::map<std::int64_t, nlohmann::json> predictions;  // the last `predictions` event, by seed
  std::string failed, skipped;                         // why it left its group, where it did
};

/// Keyed by program, then configuration. `per_of_group` says what a sample of a group stands for.
using Measurements = std::map<std::string, std::map<std::string, Measured>>;
Measurements collect(const std::vector<nlohmann::json>& processes,
                     const std::map<std::string, std::string>& per_of_group);

/// Notes which metrics of a program its catalogue declares exact.
void mark_exact(Measurements& measurements, const std::string& program, const nlohmann::json& catalogue);

/// Adds the configurations that left their group, as configurations_that_left() gives them: some have no process that
/// counts.
void add_left(Measurements& measurements, const nlohmann::json& left);

/// The sample that a `samples` or `value` event makes: the median of its repetitions. None where one of them is no
/// number.
std::optional<double> sample_of(const nlohmann::json& event);

nlohmann::json to_json(const FailedCheck& check);

}  // namespace assay::harness
