#pragma once
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "harness/results/samples.hpp"

namespace assay::harness {

/// What decides about all comparisons of a run alike.
struct Circumstances {
  std::vector<std::string> off;    // controls that the user switched off everywhere
  std::vector<std::string> unfit;  // why this machine judges nothing; empty where it is fit
};

/// One comparison of the catalogue within one program, as a row of the run document. Invalid, with every reason, where
/// the machine was not fit, the sides are equal, a side failed, was skipped or failed a check, or a pair cannot be
/// formed.
nlohmann::json compare(const nlohmann::json& comparison, const nlohmann::json& scenario, const std::string& program,
                       const Measurements& measurements, const Circumstances& circumstances);

/// One side of a comparison: what messages call it, and what was measured (nullptr: it did not run).
struct ComparedSide {
  std::string label;
  const Measured* measured = nullptr;
};
struct Sides {
  ComparedSide candidate, baseline;
};

/// Fills in what the two sides say about `metric` of the row, in its `form` and with its `margin`: unit, samples,
/// effect, interval, verdict and reason. `reasons` are those for which it is invalid whatever the sides say.
void compare_sides(nlohmann::json& row, const Sides& sides, std::vector<std::string> reasons);

/// Whether both configurations become one when `off` is off everywhere: every parameter in which they differ stands for
/// controls or environment, and what they stand for no longer differs.
bool sides_equal(const std::string& baseline, const std::string& candidate, const nlohmann::json& scenario,
                 const std::vector<std::string>& off);

}  // namespace assay::harness
