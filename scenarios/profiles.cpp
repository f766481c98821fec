#include "scenarios/profiles.hpp"

#include <algorithm>

namespace assay::scenarios {

std::vector<harness::Profile> profiles() {
  // Section 2 of the published study at full length in every profile: it takes seconds. 6 rounds give an interval of
  // 96.9 %, 10 of 97.9 %, 20 of 95.9 % (docs/statistics.md).
  const std::map<std::string, std::int64_t> lengths{{"pipeline.rows", 4000},       {"pipeline.sweep_rows", 4000},
                                                    {"pipeline.starve_rows", 640}, {"pipeline.noop_elements", 65536},
                                                    {"tracing.rows", 8000},        {"tracing.test_rows", 2000},
                                                    {"tracing.epochs", 6},         {"tracing.steps", 60},
                                                    {"models.steps", 40},          {"precision.rows", 6000},
                                                    {"precision.test_rows", 1500}, {"precision.epochs", 3},
                                                    {"precision.steps", 40}};
  // The published table of section 1 is whole in `quick` too; its sweeps are not.
  auto quick = lengths;
  quick["pipeline.sweep_rows"] = 1024;
  return {
      {.name = "quick", .rounds = 6, .repetitions = 3, .seeds = 6, .lengths = quick},
      {.name = "standard", .rounds = 10, .repetitions = 5, .seeds = 6, .lengths = lengths},
      {.name = "full", .rounds = 20, .repetitions = 5, .seeds = 10, .lengths = lengths},
  };
}

std::int64_t max_rows(const std::string& length) {
  std::int64_t most = 0;
  for (const auto& profile : profiles()) {
    for (const auto& [name, value] : profile.lengths) {
      if (name.ends_with("." + length)) most = std::max(most, value);
    }
  }
  return most;
}

}  // namespace assay::scenarios
