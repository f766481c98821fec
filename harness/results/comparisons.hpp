#pragma once
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "harness/results/samples.hpp"

namespace assay::harness {

/// What applies to all comparisons of a run.
struct Circumstances {
  std::vector<std::string> off;    // controls that are off in the whole run
  std::vector<std::string> unfit;  // why nothing is judged; empty if the machine is fit
};

/// One comparison of the catalogue in one program, as a row of the run document. The row is invalid, with every reason,
/// if the machine was unfit, if the sides are equal, if a side failed, was skipped or failed a check, or if a pair
/// cannot be formed.
nlohmann::json compare(const nlohmann::json& comparison, const nlohmann::json& scenario, const std::string& program,
                       const Measurements& measurements, const Circumstances& circumstances);

/// One side of a comparison: its name in messages, and its measurements (nullptr if it did not run).
struct ComparedSide {
  std::string label;
  const Measured* measured = nullptr;
};
struct Sides {
  ComparedSide candidate, baseline;
};

/// Compares the two sides by the row's `metric`, `form` and `margin`, and fills in unit, samples, effect, interval,
/// verdict and reason. The row is invalid if there are `reasons`.
void compare_sides(nlohmann::json& row, const Sides& sides, std::vector<std::string> reasons);

/// Whether both configurations do the same once the controls in `off` are off everywhere. That is so if every parameter
/// in which they differ only switches controls or environment, and these switches no longer differ.
bool sides_equal(const std::string& baseline, const std::string& candidate, const nlohmann::json& scenario,
                 const std::vector<std::string>& off);

}  // namespace assay::harness
