#include "scenarios/plans/describe.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "engine/ops/op_info.hpp"

namespace assay::scenarios {
namespace {

using nlohmann::json;

/// "128x784", "784x128 packed", "128 int32".
std::string type_text(const engine::TensorType& type) {
  std::string text = engine::to_string(type.shape);
  if (type.dtype != engine::DType::float32) text += " " + std::string(engine::name(type.dtype));
  if (type.layout.kind == engine::Layout::Kind::opaque) text += " packed";
  return text;
}

/// Each type; of a long list, a fused update's, only how many there are.
std::string types_text(const std::vector<engine::TensorType>& types) {
  constexpr std::size_t most = 6;
  if (types.size() > most) return std::to_string(types.size()) + " tensors";
  std::string text;
  for (const auto& type : types) text += (text.empty() ? "" : ", ") + type_text(type);
  return text;
}

/// Adds a step as a row; its fallbacks are places in `fallbacks`, which it fills.
json row_of(const engine::Step& step, std::vector<std::string>& fallbacks) {
  const auto& info = step.prepared.info;
  json places = json::array();
  for (const auto& reason : info.fallbacks) {
    const auto found = std::ranges::find(fallbacks, reason);
    places.push_back(found - fallbacks.begin());
    if (found == fallbacks.end()) fallbacks.push_back(reason);
  }
  return json::array({engine::name(step.op), info.name,
                      types_text(step.prepared.in) + " -> " + types_text(step.prepared.out), info.threads, info.flops,
                      info.bytes, places});
}

}  // namespace

json describe(const engine::Plan& plan) {
  json passes = json::array(), steps = json::array();
  std::vector<std::string> fallbacks;
  for (const auto& pass : plan.passes)
    passes.push_back(json::array({engine::name(pass.control), pass.changes, pass.nodes}));
  for (const auto& step : plan.steps) steps.push_back(row_of(step, fallbacks));
  return {{"recorded_nodes", plan.recorded_nodes},
          {"passes", passes},
          {"steps", steps},
          {"fallbacks", fallbacks},
          {"states", plan.states.size()},
          {"packed_states", std::ranges::count_if(plan.states, &engine::PlannedState::packed)},
          {"arena_bytes", plan.arena_bytes},
          {"workspace_bytes", plan.workspace_bytes}};
}

}  // namespace assay::scenarios
