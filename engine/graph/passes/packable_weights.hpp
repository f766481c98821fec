#pragma once
#include <optional>
#include <vector>

#include "engine/graph/graph.hpp"

namespace assay::engine {

/// A weight and every node that touches it, where these are a dense layer's or those of a convolution that only runs
/// forward.
struct PackableWeight {
  int value = -1;                       // a state, a constant, or the cast of a state
  std::vector<int> forward, data;       // nodes: x times w, dy times w transposed
  std::optional<int> gradient, update;  // nodes: x transposed times dy, sgd or adam
};

/// The weights that nothing else uses: those whose layout may change.
std::vector<PackableWeight> find_packable_weights(const Graph& graph);

/// The node that casts something to the value; null where none does.
const Node* cast_to(const Graph& graph, const std::vector<int>& producers, int value);

}  // namespace assay::engine
