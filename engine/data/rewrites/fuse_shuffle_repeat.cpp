#include "engine/data/rewrites/rewrites.hpp"
#include "engine/data/stages/repeat.hpp"
#include "engine/data/stages/shuffle.hpp"

namespace assay::engine {

StagePtr fuse_shuffle_repeat(const StagePtr& last, int& changes) {
  return replace_stages(last, changes, [](const StagePtr& stage) -> StagePtr {
    const auto* const repeat = dynamic_cast<const RepeatStage*>(stage.get());
    if (repeat == nullptr) return nullptr;
    const auto* const shuffle = dynamic_cast<const ShuffleStage*>(stage->input().get());
    if (shuffle == nullptr) return nullptr;
    return std::make_shared<ShuffleRepeatStage>(shuffle->input(), shuffle->options(), repeat->times());
  });
}

}  // namespace assay::engine
