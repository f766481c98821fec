#include "engine/data/rewrites/rewrites.hpp"
#include "engine/data/stages/map.hpp"

namespace assay::engine {

StagePtr parallelize_map(const StagePtr& last, int& changes) {
  return replace_stages(last, changes, [](const StagePtr& stage) -> StagePtr {
    const auto* const map = dynamic_cast<const MapStage*>(stage.get());
    if (map == nullptr || map->options().num_parallel_calls != 1 || map->function().stateful) return nullptr;
    MapOptions options = map->options();
    options.num_parallel_calls = autotune;
    return map->with_options(options);
  });
}

}  // namespace assay::engine
