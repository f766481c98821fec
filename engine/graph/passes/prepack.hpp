#pragma once
#include "engine/exec/settings.hpp"
#include "engine/graph/graph.hpp"

namespace assay::engine {

/// Control engine.prepack: dense layers become inner_product on weights in the layout that the back end asks for, which
/// is kept across updates (weights, their gradients and the optimizer's slots share it). Convolution weights that no
/// update changes are packed as well. A weight with another use stays as it is. Returns how many weights are packed.
int prepack(Graph& graph, const Settings& settings);

}  // namespace assay::engine
