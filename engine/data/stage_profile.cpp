#include "engine/data/stage_profile.hpp"

namespace assay::engine {
namespace {

bool is_input_of(const StageState& input, const StageState& stage) {
  return reads_from(stage, input) && input.path.find('.', stage.path.size() + 1) == std::string::npos;
}

}  // namespace

bool reads_from(const StageState& stage, const StageState& other) { return other.path.starts_with(stage.path + "."); }

std::vector<StageProfile> profile_since(const PipelineContext& pipeline, const CountsByPath& before) {
  std::vector<StageProfile> result;
  for (const StageState* state : pipeline.states()) {
    const StageCounts now = state->counters.now();
    const auto found = before.find(state->path);
    result.push_back({.state = state, .now = now, .since = found == before.end() ? now : now - found->second});
  }
  for (StageProfile& stage : result) {
    for (const StageProfile& other : result) {
      if (is_input_of(*other.state, *stage.state)) stage.inputs += static_cast<double>(other.since.pulled);
    }
    stage.own_work = stage.state->counts_own_work
                         ? static_cast<double>(stage.since.worked)
                         : std::max(0.0, static_cast<double>(stage.since.pulled) - stage.inputs);
  }
  return result;
}

}  // namespace assay::engine
