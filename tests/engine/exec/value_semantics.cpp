// What value() gave away keeps its values, whatever the variable does next; and the same function means the same,
// traced or not.
#include <stdexcept>
#include <thread>

#include "engine/exec/traced_function.hpp"
#include "engine/graph/recorder.hpp"
#include "engine/nn/models.hpp"
#include "engine/ops/arithmetic.hpp"
#include "engine/ops/shape.hpp"
#include "engine/ops/unary.hpp"
#include "tests/catch.hpp"

using namespace assay::engine;

namespace {

Settings with_trace(bool on) { return {1, on ? ControlSet{} : ControlSet{}.without(Control::trace), nullptr}; }

Tensor pair(float a, float b) { return Tensor::from<float>(Shape{2}, {a, b}); }

}  // namespace

TEST_CASE("a value that was read before an assignment stays what it was") {
  for (const bool trace : {true, false}) {
    const SettingsScope scope(with_trace(trace));
    const Variable total("total", pair(0, 0));
    TracedFunction add("add", [&](std::span<const Tensor> in) {
      const Tensor before = total.value();
      total.assign(before + in[0]);
      return std::vector<Tensor>{before, total.value()};
    });
    for (int call = 0; call < 3; ++call) {
      const auto results = add({pair(10, 1)});
      const auto n = static_cast<float>(call);
      CHECK(results[0].to<float>() == std::vector<float>{10 * n, n});
      CHECK(results[1].to<float>() == std::vector<float>{10 * (n + 1), n + 1});
    }
    const Tensor kept = total.value();
    add({pair(1, 1)});
    CHECK(kept.to<float>() == std::vector<float>{30, 3});
  }
}

TEST_CASE("two variables can be exchanged, through a reshape as well") {
  for (const bool trace : {true, false}) {
    for (const bool reshaped : {true, false}) {
      const SettingsScope scope(with_trace(trace));
      const Variable a("a", pair(1, 1)), b("b", pair(2, 2));
      const auto seen = [&](const Variable& v) {
        return reshaped ? reshape(reshape(v.value(), Shape{2, 1}), Shape{2}) : v.value();
      };
      TracedFunction exchange("exchange", [&](std::span<const Tensor>) {
        const Tensor old_a = seen(a), old_b = seen(b);
        a.assign(old_b);
        b.assign(old_a);
        return std::vector<Tensor>{};
      });
      exchange({});
      CHECK(a.value().to<float>() == std::vector<float>{2, 2});
      CHECK(b.value().to<float>() == std::vector<float>{1, 1});
    }
  }
}

TEST_CASE("a tensor of one recording is refused in another") {
  const SettingsScope scope(with_trace(true));
  Tensor kept;
  TracedFunction first("first", [&](std::span<const Tensor> in) {
    kept = in[0] + in[0];
    return std::vector<Tensor>{kept};
  });
  first({pair(1, 2)});
  TracedFunction second("second", [&](std::span<const Tensor> in) { return std::vector<Tensor>{in[0] + kept}; });
  CHECK_THROWS_AS(second({pair(1, 2)}), std::logic_error);
}

TEST_CASE("a traced function inside a recording is refused, warm or cold") {
  const SettingsScope scope(with_trace(true));
  TracedFunction inner("inner", [](std::span<const Tensor> in) { return std::vector<Tensor>{scale(in[0], 2)}; });
  const Tensor captured = pair(1, 2);
  inner({captured});  // warm for these types
  TracedFunction outer("outer",
                       [&](std::span<const Tensor> in) { return std::vector<Tensor>{in[0] + inner({captured})[0]}; });
  CHECK_THROWS_AS(outer({captured}), std::logic_error);
}

TEST_CASE("executions of one plan share what they only read, and may run beside each other") {
  const SettingsScope scope(with_trace(true));
  const Model model = models::mlp({784, 128, 64, 10}, 0);
  const Tensor x = Tensor::full(Shape{16, 784}, 0.5);
  TracedFunction traced("model", [&](std::span<const Tensor> in) { return std::vector<Tensor>{model(in[0])}; });
  const auto expected = traced({x})[0].to<float>();

  Recorder recorder(std::span(&x, 1));
  const auto plan = make_plan(
      [&] {
        const Tensor result = model(recorder.arguments()[0]);
        return recorder.finish(std::span(&result, 1));
      }(),
      settings());
  Execution first(plan), second(plan);
  first.run(std::span(&x, 1));
  const auto before = storage_allocations().bytes;
  CHECK(second.run(std::span(&x, 1))[0].to<float>() == expected);
  CHECK(storage_allocations().bytes == before);  // packed weights included

  std::vector<float> beside;
  std::thread other([&] {
    const SettingsScope own(with_trace(true));
    for (int i = 0; i < 50; ++i) beside = second.run(std::span(&x, 1))[0].to<float>();
  });
  std::vector<float> here;
  for (int i = 0; i < 50; ++i) here = first.run(std::span(&x, 1))[0].to<float>();
  other.join();
  CHECK(here == expected);
  CHECK(beside == expected);
}
