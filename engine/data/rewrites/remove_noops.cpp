#include "engine/data/rewrites/rewrites.hpp"
#include "engine/data/stages/map.hpp"
#include "engine/data/stages/prefetch.hpp"
#include "engine/data/stages/repeat.hpp"
#include "engine/data/stages/shard.hpp"
#include "engine/data/stages/shuffle.hpp"
#include "engine/data/stages/skip.hpp"

namespace assay::engine {
namespace {

template <class S, class Test>
bool is(const Stage& stage, Test test) {
  const auto* const one = dynamic_cast<const S*>(&stage);
  return one != nullptr && test(*one);
}

/// Gives what it reads, in the same order.
bool changes_nothing(const Stage& stage) {
  return is<MapStage>(stage,
                      [](const MapStage& map) { return map.function().identity && map.options().deterministic; }) ||
         is<SkipStage>(stage, [](const SkipStage& skip) { return skip.count() == 0; }) ||
         is<RepeatStage>(stage, [](const RepeatStage& repeat) { return repeat.times() == 1; }) ||
         is<ShardStage>(stage, [](const ShardStage& shard) { return shard.shards() == 1; }) ||
         is<ShuffleStage>(stage, [](const ShuffleStage& shuffle) { return shuffle.options().buffer_size == 1; });
}

}  // namespace

StagePtr remove_noops(const StagePtr& last, int& changes) {
  return replace_stages(last, changes,
                        [](const StagePtr& stage) { return changes_nothing(*stage) ? stage->input() : nullptr; });
}

}  // namespace assay::engine
