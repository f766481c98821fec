#include "engine/data/rewrites/rewrites.hpp"
#include "engine/data/stages/map_batch.hpp"

namespace assay::engine {

StagePtr fuse_map_batch(const StagePtr& last, int& changes) {
  return changed(last, changes, [](const StagePtr& stage) -> StagePtr {
    auto batch = std::dynamic_pointer_cast<const BatchStage>(stage);
    if (!batch) return nullptr;
    auto map = std::dynamic_pointer_cast<const MapStage>(batch->input());
    // In any order, which elements make a batch depends on their times: batches would be others than without fusion.
    // And whoever says how many elements are in flight does not mean batches.
    if (!map || !map->way().in_order || map->way().in_flight != automatic) return nullptr;
    return std::make_shared<MapBatchStage>(std::move(map), std::move(batch));
  });
}

}  // namespace assay::engine
