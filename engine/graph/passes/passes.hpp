#pragma once
#include <span>
#include <vector>

#include "engine/exec/settings.hpp"
#include "engine/graph/graph.hpp"

namespace assay::engine {

/// One pass over a graph: changes it without changing what it computes, and returns how many changes it made. Runs only
/// while its control is on.
struct Pass {
  Control control;
  int (*run)(Graph& graph, const Settings& settings);
};

/// In the order in which they run.
std::span<const Pass> passes();

/// What a pass did to one graph.
struct PassResult {
  Control control;
  int changes = 0;
  std::size_t nodes = 0;  // afterwards
};
std::vector<PassResult> run_passes(Graph& graph, const Settings& settings);

}  // namespace assay::engine
