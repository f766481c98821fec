#include "scenarios/profiles.hpp"

#include <algorithm>

namespace assay::scenarios {

std::vector<harness::Profile> profiles(const std::vector<harness::Scenario>& scenarios) {
  // 6 rounds give an interval of 96.9 %, 10 of 97.9 %, 20 of 95.9 % (docs/statistics.md).
  std::vector<harness::Profile> all{
      {.name = "quick", .rounds = 6, .repetitions = 3, .seeds = 6, .lengths = {}},
      {.name = "standard", .rounds = 10, .repetitions = 5, .seeds = 6, .lengths = {}},
      {.name = "full", .rounds = 20, .repetitions = 5, .seeds = 10, .lengths = {}},
  };
  for (harness::Profile& profile : all) {
    for (const harness::Scenario& scenario : scenarios) {
      for (const auto& [name, value] : scenario.lengths_in(profile.name))
        profile.lengths[scenario.name + "." + name] = value;
    }
  }
  return all;
}

std::int64_t max_length(const std::vector<harness::Profile>& profiles, const std::string& length) {
  std::int64_t largest = 0;
  for (const auto& profile : profiles) {
    for (const auto& [name, value] : profile.lengths) {
      if (name.ends_with("." + length)) largest = std::max(largest, value);
    }
  }
  return largest;
}

}  // namespace assay::scenarios
