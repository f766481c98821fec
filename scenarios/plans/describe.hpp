#pragma once
#include <nlohmann/json.hpp>

#include "engine/exec/plan.hpp"

namespace assay::scenarios {

/// A plan as a `choice` of a case reports it and `./assay explain` prints it (docs/protocol.md, "A plan"): nodes
/// recorded and after each pass, every step with its kernel, what the plan takes. Rows are lists, not objects, since it
/// stands in every process's record.
nlohmann::json describe(const engine::Plan& plan);

}  // namespace assay::scenarios
