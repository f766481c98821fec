#pragma once
#include <map>
#include <string>

namespace assay::harness {

/// How long a run will still take, from the mean wall time of each configuration so far; one that has not run yet
/// counts as the mean of all that have, and as `unknown_s` while none has.
class Estimate {
 public:
  void add(const std::string& label, double wall_s) {
    for (Mean* const mean : {&of_[label], &all_}) {
      mean->sum += wall_s;
      ++mean->count;
    }
  }
  double seconds(const std::string& label) const {
    const auto found = of_.find(label);
    const Mean& mean = found == of_.end() ? all_ : found->second;
    return mean.count == 0 ? unknown_s : mean.sum / mean.count;
  }

 private:
  struct Mean {
    double sum = 0;
    int count = 0;
  };
  static constexpr double unknown_s = 1;
  std::map<std::string, Mean> of_;
  Mean all_;
};

}  // namespace assay::harness
