#include "engine/data/rewrites/rewrites.hpp"
#include "engine/data/stages/map.hpp"

namespace assay::engine {

StagePtr parallelize_map(const StagePtr& last, int& changes) {
  return changed(last, changes, [](const StagePtr& stage) -> StagePtr {
    const auto* const map = dynamic_cast<const MapStage*>(stage.get());
    if (map == nullptr || map->way().calls != 1 || map->function().stateful) return nullptr;
    MapWay way = map->way();
    way.calls = automatic;
    return map->in_way(way);
  });
}

}  // namespace assay::engine
