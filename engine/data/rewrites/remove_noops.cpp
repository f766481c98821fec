#include "engine/data/rewrites/rewrites.hpp"
#include "engine/data/stages/map.hpp"
#include "engine/data/stages/order.hpp"
#include "engine/data/stages/prefetch.hpp"
#include "engine/data/stages/shuffle.hpp"

namespace assay::engine {
namespace {

template <class S, class Test>
bool is(const Stage& stage, Test test) {
  const auto* const one = dynamic_cast<const S*>(&stage);
  return one != nullptr && test(*one);
}

/// Gives what it reads, in the same order.
bool changes_nothing(const Stage& stage) {
  return is<MapStage>(stage, [](const MapStage& map) { return map.function().identity && map.way().in_order; }) ||
         is<SkipStage>(stage, [](const SkipStage& skip) { return skip.count() == 0; }) ||
         is<RepeatStage>(stage, [](const RepeatStage& repeat) { return repeat.times() == 1; }) ||
         is<ShardStage>(stage, [](const ShardStage& shard) { return shard.shards() == 1; }) ||
         is<ShuffleStage>(stage, [](const ShuffleStage& shuffle) { return shuffle.way().buffer == 1; });
}

}  // namespace

StagePtr remove_noops(const StagePtr& last, int& changes) {
  return changed(last, changes,
                 [](const StagePtr& stage) { return changes_nothing(*stage) ? stage->input() : nullptr; });
}

}  // namespace assay::engine
