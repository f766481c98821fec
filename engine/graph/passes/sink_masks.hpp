#pragma once
#include "engine/exec/settings.hpp"
#include "engine/graph/graph.hpp"

namespace assay::engine {

/// Control engine.sink_masks: where the gradient of a ReLU is the gradient of a max-pooling of its output,
/// relu_gradient(max_pool_gradient(dy, indices), y) becomes max_pool_gradient(relu_gradient(dy, pooled), indices): the
/// same values bit for bit, since the pooled value is the element that the gradient goes to. The mask is then read and
/// applied at the size of the pooled image, and the full image is not needed for it. Returns how many moved.
int sink_masks(Graph& graph, const Settings& settings);

}  // namespace assay::engine
