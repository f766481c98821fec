#include "engine/data/rewrites/rewrites.hpp"

#include <map>

#include "engine/data/stages/map.hpp"

namespace assay::engine {
namespace {

struct Row {
  Control control;
  Rewrite rewrite;
};
/// In this order: a stage that is removed need not be fused, and a map becomes parallel before it is fused.
constexpr Row table[]{
    {Control::remove_noops, remove_noops},       {Control::fuse_shuffle_repeat, fuse_shuffle_repeat},
    {Control::parallelize_map, parallelize_map}, {Control::fuse_map_batch, fuse_map_batch},
    {Control::inject_prefetch, inject_prefetch},
};

void note_stateful(const Stage& stage, std::vector<std::string>& withheld) {
  if (const auto* map = dynamic_cast<const MapStage*>(&stage); map != nullptr && map->function().stateful) {
    withheld.push_back(
        "map " + map->function().name +
        " stays sequential: it keeps state between its calls, so that calling it on several threads would "
        "change its results");
  }
  for (const StagePtr& input : stage.inputs()) note_stateful(*input, withheld);
}

using Done = std::map<const Stage*, StagePtr>;

StagePtr change_from(const StagePtr& stage, int& changes, const std::function<StagePtr(const StagePtr&)>& change,
                     Done& done) {
  if (const auto found = done.find(stage.get()); found != done.end()) return found->second;
  std::vector<StagePtr> inputs;
  for (const StagePtr& input : stage->inputs()) inputs.push_back(change_from(input, changes, change, done));
  StagePtr now = inputs == stage->inputs() ? stage : stage->with_inputs(inputs);
  if (StagePtr other = change(now)) {
    ++changes;
    now = std::move(other);
  }
  return done[stage.get()] = now;
}

}  // namespace

StagePtr replace_stages(const StagePtr& last, int& changes, const std::function<StagePtr(const StagePtr&)>& change) {
  Done done;
  return change_from(last, changes, change, done);
}

RewriteResult rewrite(const StagePtr& last, const ControlSet& controls) {
  RewriteResult result{last, {}, {}};
  for (const auto& [control, apply] : table) {
    if (!controls.on(control)) continue;
    int changes = 0;
    result.last = apply(result.last, changes);
    result.passes.push_back({control, std::string(name(control)), changes});
  }
  if (controls.on(Control::parallelize_map)) note_stateful(*last, result.withheld);
  return result;
}

}  // namespace assay::engine
