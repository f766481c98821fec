#pragma once
#include <string>
#include <vector>

#include "harness/cases/catalogue.hpp"

namespace assay::harness {

/// The purpose that a run of an ablation keeps in its options.
inline constexpr const char* ablation_purpose = "ablation";

/// What an ablation of a scenario measures, as a catalogue: for each metric of AblatedMetric one group with everything
/// on, everything off, each control alone off and each alone on, and a comparison for each of these. Alone on means
/// with the controls that it needs, against those alone. A control that cannot act here, or that `off` or the lack of
/// what it needs switches off, stands in no group; its reason in the catalogue says why. `cases` restricts it to these
/// configurations (the scenario's name may be left out). Throws UsageError for names that are wrong, and where nothing
/// is left to ablate.
Catalogue ablation_of(const Catalogue& catalogue, const std::string& scenario, const std::vector<std::string>& cases,
                      const std::vector<std::string>& off);

}  // namespace assay::harness
