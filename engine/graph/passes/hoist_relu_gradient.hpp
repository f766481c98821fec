#pragma once
#include "engine/exec/settings.hpp"
#include "engine/graph/graph.hpp"

namespace assay::engine {

/// Control engine.hoist_relu_gradient: where the gradient of a ReLU follows the gradient of a max-pooling of its
/// output, relu_gradient(max_pool_gradient(dy, indices), y) becomes max_pool_gradient(relu_gradient(dy, pooled),
/// indices). The values are the same bit for bit, since the pooled value is the element that the gradient goes to. The
/// mask is then applied at the size of the pooled image. Returns how many moved.
int hoist_relu_gradient(Graph& graph, const Settings& settings);

}  // namespace assay::engine
