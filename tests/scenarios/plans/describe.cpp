#include "scenarios/plans/describe.hpp"

#include "engine/exec/traced_function.hpp"
#include "engine/ops/layers.hpp"
#include "engine/ops/matmul.hpp"
#include "harness/commands/plan_text.hpp"
#include "tests/catch.hpp"

using namespace assay;

namespace {

/// relu(a b) of [4,3] and [3,5] under these settings.
nlohmann::json described(const engine::ControlSet& controls) {
  const engine::SettingsScope scope({.threads = 1, .controls = controls, .only = &engine::reference_backend()});
  engine::TracedFunction f("f", [](std::span<const engine::Tensor> in) {
    return std::vector<engine::Tensor>{engine::relu(engine::matmul(in[0], in[1]))};
  });
  f({engine::Tensor::zeros(engine::Shape{4, 3}), engine::Tensor::zeros(engine::Shape{3, 5})});
  return scenarios::describe(*f.plan());
}

}  // namespace

TEST_CASE("a plan is described by its nodes, passes and steps") {
  const auto off = std::vector<std::string>{"engine.prepack", "engine.fuse_epilogue", "engine.fuse_elementwise"};
  const auto plan = described(engine::ControlSet::without(off));
  CHECK(harness::is_plan(plan));
  CHECK(plan.at("recorded_nodes") == 2);
  for (const auto& pass : plan.at("passes")) {
    CHECK(pass[0] != "engine.prepack");
    CHECK(pass[2] == 2);  // nodes: nothing to change
  }
  CHECK(plan.at("passes")[0] == nlohmann::json({"engine.fold_constants", 0, 2}));
  REQUIRE(plan.at("steps").size() == 2);
  const auto& product = plan.at("steps")[0];
  CHECK(product[0] == "matmul");
  CHECK(product[1] == "reference:matmul");
  CHECK(product[2] == "4x3, 3x5 -> 4x5");
  CHECK(product[3] == 1);
  CHECK(product[4] == 2 * 4 * 3 * 5);
  CHECK(product[5] == 4 * (4 * 3 + 3 * 5 + 4 * 5));
  CHECK(plan.at("steps")[1][2] == "4x5 -> 4x5");
  CHECK(plan.at("states") == 0);
}

TEST_CASE("a control that is on shows in passes and steps") {
  const auto plan = described(engine::ControlSet{});
  const auto& passes = plan.at("passes");
  CHECK(passes.size() == std::size(engine::all_passes));
  CHECK(passes.back()[2] == plan.at("steps").size());
}
