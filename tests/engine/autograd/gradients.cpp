#include "engine/autograd/gradients.hpp"

#include "engine/exec/eager.hpp"
#include "engine/exec/traced_function.hpp"
#include "engine/ops/arithmetic.hpp"
#include "engine/ops/layers.hpp"
#include "engine/ops/matmul.hpp"
#include "engine/ops/reduction.hpp"
#include "engine/ops/unary.hpp"
#include "tests/catch.hpp"

using namespace assay::engine;

namespace {

/// Operations of a kind in a plan.
std::ptrdiff_t count(const Plan& plan, Op op) { return std::ranges::count(plan.steps, op, &Step::op); }

}  // namespace

TEST_CASE("a variable used twice gets the sum of both gradients") {
  const Variable x("x", Tensor::from<double>(Shape{2}, {3, -1}));
  // d/dx (x^2 + 5 x) = 2 x + 5
  const auto got = value_and_gradients([&] { return sum(square(x.value()) + scale(x.value(), 5)); }, {{x}});
  CHECK(got.value.item<double>() == 20.0);
  CHECK(got.gradients[0].to<double>() == std::vector<double>{11, 3});
}

TEST_CASE("what the loss does not depend on has a gradient of zeros") {
  const Variable x("x", Tensor::from<double>(Shape{2}, {3, -1}));
  const Variable unused("unused", Tensor::from<double>(Shape{3}, {1, 2, 3}));
  const auto got = value_and_gradients([&] { return sum(x.value()); }, std::vector{x, unused});
  CHECK(got.gradients[0].to<double>() == std::vector<double>{1, 1});
  CHECK(got.gradients[1].to<double>() == std::vector<double>{0, 0, 0});
}

TEST_CASE("the gradient of the first layer's input is never computed") {
  const Variable first("first", Tensor::full(Shape{6, 5}, 0.1));
  const Variable second("second", Tensor::full(Shape{5, 4}, 0.1));
  const SettingsScope scope({1, ControlSet{}.without(Control::prepack).without(Control::dce)});
  TracedFunction step("step", [&](std::span<const Tensor> in) {
    auto got = value_and_gradients([&] { return sum(matmul(relu(matmul(in[0], first.value())), second.value())); },
                                   std::vector{first, second});
    return got.gradients;
  });
  step({Tensor::full(Shape{3, 6}, 1)});
  // Two products forward, one weight gradient each, and only the second layer's input gradient.
  CHECK(count(*step.plan(), Op::matmul) == 5);
}

TEST_CASE("gradients are of scalars, and second derivatives are refused") {
  const Variable x("x", Tensor::from<double>(Shape{2}, {3, -1}));
  CHECK_THROWS_AS(value_and_gradients([&] { return x.value() + x.value(); }, {{x}}), std::invalid_argument);
  const auto nested = [&] { return value_and_gradients([&] { return sum(square(x.value())); }, {{x}}).value; };
  CHECK_THROWS_AS(value_and_gradients(nested, {{x}}), std::logic_error);
  // The tape is gone after an error: the next use works.
  CHECK(value_and_gradients([&] { return sum(x.value()); }, {{x}}).value.item<double>() == 2.0);
}

TEST_CASE("nothing is noted outside the function whose gradients are taken") {
  CHECK(Tape::current() == nullptr);
  const Variable x("x", Tensor::from<double>(Shape{2}, {3, -1}));
  value_and_gradients(
      [&] {
        CHECK(Tape::current() != nullptr);
        return sum(x.value());
      },
      {{x}});
  CHECK(Tape::current() == nullptr);
}
