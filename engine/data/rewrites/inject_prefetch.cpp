#include "engine/data/rewrites/rewrites.hpp"
#include "engine/data/stages/prefetch.hpp"

namespace assay::engine {

StagePtr inject_prefetch(const StagePtr& last, int& changes) {
  if (last->runs_ahead()) return last;
  ++changes;
  return std::make_shared<PrefetchStage>(last, automatic, true);
}

}  // namespace assay::engine
