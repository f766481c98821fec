#pragma once
#include <string>
#include <vector>

#include "harness/cases/catalogue.hpp"

namespace assay::harness {

/// The `purpose` in the options of an ablation's run.
inline constexpr const char* ablation_purpose = "ablation";

/// The catalogue that an ablation of a scenario measures. Each AblatedMetric gets one group with everything on,
/// everything off, each control alone off and each alone on, and a comparison for each of these. A control that is
/// alone on has the controls that it needs, and is compared with those alone. A control stands in no group if it cannot
/// act here, is in `off`, or lacks what it needs; its reason in the catalogue says which. `cases` restricts the
/// ablation to these configurations (with or without the scenario's name). Throws UsageError for a wrong name, and if
/// nothing is left to ablate.
Catalogue ablation_of(const Catalogue& catalogue, const std::string& scenario, const std::vector<std::string>& cases,
                      const std::vector<std::string>& off);

}  // namespace assay::harness
