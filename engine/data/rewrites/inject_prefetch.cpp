#include "engine/data/rewrites/rewrites.hpp"
#include "engine/data/stages/prefetch.hpp"

namespace assay::engine {

StagePtr inject_prefetch(const StagePtr& last, int& changes) {
  if (last->prefetches()) return last;
  ++changes;
  return std::make_shared<PrefetchStage>(last, autotune, true);
}

}  // namespace assay::engine
