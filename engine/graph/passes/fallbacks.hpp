#pragma once
#include <optional>

#include "engine/graph/graph.hpp"
#include "engine/kernels/settings.hpp"

namespace assay::engine {

/// How many back ends decline the node before one has a kernel for it; nothing where none has. A fusion is worth it
/// only where this does not grow.
std::optional<std::size_t> count_fallbacks(const Graph& graph, const Node& node, const Settings& settings);

}  // namespace assay::engine
