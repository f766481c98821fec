#pragma once
#include <map>
#include <string>
#include <utility>

namespace assay::harness {

/// How long a run will still take, from the mean wall time of each configuration so far. One that has not run yet
/// counts as the mean of its case's others; without any as its share of what its scenario may take; without that as the
/// mean of all, and as `unknown_s` while there is none.
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
