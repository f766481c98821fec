#include "engine/data/rewrites/rewrites.hpp"
#include "engine/data/stages/map_batch.hpp"

namespace assay::engine {

StagePtr fuse_map_batch(const StagePtr& last, int& changes) {
  return replace_stages(last, changes, [](const StagePtr& stage) -> StagePtr {
    auto batch = std::dynamic_pointer_cast<const BatchStage>(stage);
    if (!batch) return nullptr;
    auto map = std::dynamic_pointer_cast<const MapStage>(batch->input());
    // Without a fixed order the fusion would change which elements make a batch. A limit of the elements in flight
    // would become one of batches.
    if (!map || !map->options().deterministic || map->options().max_in_flight != autotune) return nullptr;
    return std::make_shared<MapBatchStage>(std::move(map), std::move(batch));
  });
}

}  // namespace assay::engine
