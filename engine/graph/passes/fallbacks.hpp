#pragma once
#include <optional>

#include "engine/exec/settings.hpp"
#include "engine/graph/graph.hpp"

namespace assay::engine {

/// How many back ends decline the node before one has a kernel for it; nothing where none has. A fusion is worth it
/// only where this does not grow.
std::optional<std::size_t> fallbacks(const Graph& graph, const Node& node, const Settings& settings);

}  // namespace assay::engine
