#include "engine/data/work.hpp"

#include <algorithm>

namespace assay::engine {
namespace {

bool is_input_of(const StageState& one, const StageState& stage) {
  return is_above(stage, one) && one.path.find('.', stage.path.size() + 1) == std::string::npos;
}

}  // namespace

bool is_above(const StageState& one, const StageState& other) { return other.path.starts_with(one.path + "."); }

std::vector<StageWork> work_since(const Reading& reading, const CountsByPath& before) {
  std::vector<StageWork> result;
  for (const StageState* state : reading.states()) {
    const StageCounts now = state->counters.now();
    const auto found = before.find(state->path);
    result.push_back({.state = state, .now = now, .since = found == before.end() ? now : now - found->second});
  }
  for (StageWork& one : result) {
    for (const StageWork& other : result) {
      if (is_input_of(*other.state, *one.state)) one.asking += static_cast<double>(other.since.pulled);
    }
    // A stage that may have threads counts its work; another's is what is left of the time in which it was asked.
    one.own = one.state->opened ? static_cast<double>(one.since.worked)
                                : std::max(0.0, static_cast<double>(one.since.pulled) - one.asking);
  }
  return result;
}

}  // namespace assay::engine
