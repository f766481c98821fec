#pragma once
#include "engine/exec/settings.hpp"
#include "engine/graph/graph.hpp"

namespace assay::engine {

/// Control engine.merge_common: of operations with equal attributes on equal inputs the first one serves all. Updates
/// stay, since they write in place. Returns how many are gone.
int merge_common(Graph& graph, const Settings& settings);

}  // namespace assay::engine
