#pragma once
#include <map>
#include <string>
#include <utility>

namespace assay::harness {

/// Estimates how long a run will still take, from the mean wall time of each configuration so far. A configuration that
/// has not run yet counts as the mean of the others of its case, else as its share of the scenario's budget, else as
/// the mean of all configurations, else as `unknown_s`.
class RemainingTime {
 public:
  /// `shares`: seconds of the catalogue's budget, by label.
  explicit RemainingTime(std::map<std::string, double> shares = {}) : shares_(std::move(shares)) {}

  void add(const std::string& label, double wall_s) {
    for (Mean* const mean : {&of_[label], &of_case_[case_of(label)], &all_}) {
      mean->sum += wall_s;
      ++mean->count;
    }
  }
  double seconds(const std::string& label) const {
    if (const auto found = of_.find(label); found != of_.end()) return found->second.value();
    if (const auto found = of_case_.find(case_of(label)); found != of_case_.end()) return found->second.value();
    if (const auto share = shares_.find(label); share != shares_.end()) return share->second;
    return all_.count == 0 ? unknown_s : all_.value();
  }

 private:
  struct Mean {
    double sum = 0;
    int count = 0;
    double value() const { return sum / count; }
  };
  static constexpr double unknown_s = 1;
  /// `assay:tracing.step` of `assay:tracing.step{mode=eager}`.
  static std::string case_of(const std::string& label) { return label.substr(0, label.find('{', label.find(':'))); }

  std::map<std::string, double> shares_;
  std::map<std::string, Mean> of_, of_case_;
  Mean all_;
};

}  // namespace assay::harness
