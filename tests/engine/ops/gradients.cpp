// Gradients against central finite differences, in float64 on the reference back end.
#include <cmath>
#include <functional>
#include <set>

#include "engine/autograd/gradients.hpp"
#include "engine/core/random.hpp"
#include "engine/kernels/settings.hpp"
#include "engine/ops/arithmetic.hpp"
#include "engine/ops/compute.hpp"
#include "engine/ops/convolution.hpp"
#include "engine/ops/layers.hpp"
#include "engine/ops/matmul.hpp"
#include "engine/ops/op_info.hpp"
#include "engine/ops/reduction.hpp"
#include "engine/ops/shape.hpp"
#include "engine/ops/unary.hpp"
#include "tests/catch.hpp"

using namespace assay::engine;

namespace {

/// Distinct values a step apart, in a random order: no maximum is within a difference of another value, none is near 0.
Tensor spread_values(const Shape& shape, double first, double step, std::uint64_t stream) {
  const Tensor values = Tensor::zeros(shape, DType::float64);
  std::vector<std::int64_t> order(static_cast<std::size_t>(shape.elements()));
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<std::int64_t>(i);
  shuffle(order, 7, stream);
  for (std::size_t i = 0; i < order.size(); ++i) {
    values.as<double>()[i] = first + step * static_cast<double>(order[i]);
  }
  return values;
}

using Inputs = std::vector<Variable>;

struct GradientCase {
  Op op;
  std::string name;
  std::vector<Tensor> inputs;
  std::function<Tensor(const Inputs&)> apply;
  double difference = 1e-5;
};

Tensor value(const Inputs& in, std::size_t i) { return in[i].value(); }

std::vector<GradientCase> cases() {
  const auto x = [](const Shape& shape, std::uint64_t stream = 1) {
    return spread_values(shape, -1.03, 2.1 / static_cast<double>(shape.elements()), stream);
  };
  const auto positive = [](const Shape& shape) { return spread_values(shape, 0.4, 0.07, 3); };
  const Tensor labels = Tensor::from<std::int32_t>(Shape{3}, {2, 0, 3});
  const Tensor key = Tensor::from<std::int64_t>(Shape{2}, {5, 9});
  const auto product = [](bool ta, bool tb) {
    return [ta, tb](const Inputs& in) { return matmul(value(in, 0), value(in, 1), ta, tb); };
  };
  const auto one = [](Tensor (*fn)(const Tensor&)) { return [fn](const Inputs& in) { return fn(value(in, 0)); }; };
  const auto reduce = [](Tensor (*fn)(const Tensor&, std::uint32_t), std::uint32_t axes) {
    return [fn, axes](const Inputs& in) { return fn(value(in, 0), axes); };
  };
  const auto two = [](Tensor (*fn)(const Tensor&, const Tensor&)) {
    return [fn](const Inputs& in) { return fn(value(in, 0), value(in, 1)); };
  };
  const auto conv = [](std::int64_t stride, Padding padding) {
    return [stride, padding](const Inputs& in) { return conv2d(value(in, 0), value(in, 1), stride, padding); };
  };
  const Shape s{3, 4};
  const Shape scalar{};
  std::vector<GradientCase> all = {
      {Op::matmul, "a b", {x({3, 4}), x({4, 2}, 2)}, product(false, false)},
      {Op::matmul, "a' b", {x({4, 3}), x({4, 2}, 2)}, product(true, false)},
      {Op::matmul, "a b'", {x({3, 4}), x({2, 4}, 2)}, product(false, true)},
      {Op::matmul, "a' b'", {x({4, 3}), x({2, 4}, 2)}, product(true, true)},
      {Op::conv2d, "valid", {x({2, 5, 4, 2}), x({3, 2, 2, 3}, 2)}, conv(1, Padding::valid)},
      {Op::conv2d, "same, stride 2", {x({2, 5, 4, 2}), x({3, 3, 2, 3}, 2)}, conv(2, Padding::same)},
      {Op::add_bias, "matrix", {x(s), x({4}, 2)}, two(add_bias)},
      {Op::add_bias, "images", {x({2, 2, 3, 4}), x({4}, 2)}, two(add_bias)},
      {Op::relu, "", {x(s)}, one(relu)},
      {Op::max_pool, "2 by 2", {x({2, 4, 5, 2})}, [](const Inputs& in) { return max_pool(value(in, 0), 2, 2); }},
      {Op::max_pool, "overlapping", {x({1, 5, 5, 2})}, [](const Inputs& in) { return max_pool(value(in, 0), 3, 1); }},
      {Op::dropout, "", {x({6, 7})}, [key](const Inputs& in) { return dropout(value(in, 0), key, 0.4); }},
      {Op::softmax, "", {x(s)}, one(softmax)},
      {Op::softmax_cross_entropy,
       "",
       {x(s)},
       [labels](const Inputs& in) { return softmax_cross_entropy(value(in, 0), labels); }},
      {Op::sum, "rows", {x(s)}, reduce(sum, 1)},
      {Op::sum, "all", {x(s)}, reduce(sum, all_axes)},
      {Op::mean, "columns", {x(s)}, reduce(mean, 2)},
      {Op::mean, "outer and inner", {x({2, 3, 4})}, reduce(mean, 5)},
      {Op::max, "columns", {x(s)}, reduce(max, 2)},
      {Op::reshape,
       "",
       {x(s)},
       [](const Inputs& in) {
         return reshape(value(in, 0), Shape{2, 6});
       }},
      {Op::broadcast,
       "",
       {x({4})},
       [](const Inputs& in) {
         return broadcast(value(in, 0), Shape{3, 4}, 1);
       }},
      {Op::add, "", {x(s), x(s, 2)}, two(operator+)},
      {Op::add, "scalar", {x(s), x(scalar)}, two(operator+)},
      {Op::subtract, "", {x(s), x(s, 2)}, two(operator-)},
      {Op::subtract, "scalar", {x(s), x(scalar)}, two(operator-)},
      {Op::multiply, "", {x(s), x(s, 2)}, two(operator*)},
      {Op::multiply, "scalar", {x(s), x(scalar)}, two(operator*)},
      {Op::multiply, "by itself", {x(s)}, [](const Inputs& in) { return value(in, 0) * value(in, 0); }},
      {Op::divide, "", {x(s), positive(s)}, two(operator/)},
      {Op::divide, "scalar", {x(s), positive(scalar)}, two(operator/)},
      {Op::maximum, "", {x(s), x(s, 2)}, two(maximum)},
      {Op::maximum, "scalar", {x(s), positive(scalar)}, two(maximum)},
      // Multiples of 2^-6 moved by 2^-3 are exact in float32, so the difference is too.
      {Op::cast,
       "to float32 and back",
       {spread_values(s, -1, 0x1p-6, 1)},
       [](const Inputs& in) { return cast(cast(value(in, 0), DType::float32), DType::float64); },
       0x1p-3},
  };
  for (const OpRow& row : op_rows) {
    if (row.category != OpCategory::elementwise_unary) continue;
    const auto apply = [op = row.op](const Inputs& in) { return compute(op, {.scalar = -1.7}, {value(in, 0)}); };
    all.push_back({row.op, "", {needs_positive(row.op) ? positive(s) : x(s)}, apply});
  }
  return all;
}

/// A scalar that weighs every element of the operation's result differently.
double weighted(const GradientCase& test, const Inputs& in) {
  const Tensor y = test.apply(in);
  double total = 0;
  std::uint64_t i = 0;
  for (const double element : y.as<double>()) total += element * (0.5 + static_cast<double>(uniform(3, 4, i++)));
  return total;
}

Tensor weights_like(const Tensor& y) {
  const Tensor weights = Tensor::zeros(y.shape(), y.dtype());
  std::uint64_t i = 0;
  for (double& weight : weights.as<double>()) weight = 0.5 + static_cast<double>(uniform(3, 4, i++));
  return weights;
}

}  // namespace

TEST_CASE("every operation's gradient equals its central finite difference in float64") {
  const SettingsScope scope({1, {}, &reference_backend()});
  for (const GradientCase& test : cases()) {
    INFO(name(test.op) << " " << test.name);
    Inputs in;
    for (const Tensor& input : test.inputs) in.emplace_back("input_" + std::to_string(in.size()), input);
    const auto [loss, gradients] = value_and_gradients(
        [&] {
          const Tensor y = test.apply(in);
          return sum(y * weights_like(y));
        },
        in);
    CHECK(loss.item<double>() == Approx(weighted(test, in)).epsilon(1e-12));
    for (std::size_t i = 0; i < in.size(); ++i) {
      const auto values = in[i].value().as<double>();
      for (std::size_t j = 0; j < values.size(); ++j) {
        const double kept = values[j];
        values[j] = kept + test.difference;
        const double above = weighted(test, in);
        values[j] = kept - test.difference;
        const double below = weighted(test, in);
        values[j] = kept;
        const double expected = (above - below) / (2 * test.difference);
        INFO("input " << i << ", element " << j);
        CHECK(gradients[i].as<double>()[j] == Approx(expected).epsilon(1e-7).margin(1e-8));
      }
    }
  }
}

TEST_CASE("every operation that has a gradient has a case above") {
  // Quantization's gradients are no derivatives: tests/engine/precision/float8.cpp.
  std::set<Op> tested{Op::quantize, Op::quantize_gradient};
  for (const GradientCase& test : cases()) tested.insert(test.op);
  for (std::size_t i = 0; i < op_count; ++i) {
    const Op op = static_cast<Op>(i);
    INFO(name(op));
    CHECK((op_info(op).gradient != nullptr) == tested.contains(op));
  }
}

TEST_CASE("equal maxima share their gradient, and at a tie the first operand of maximum gets it") {
  const SettingsScope scope({1, {}, &reference_backend()});
  const Variable x("x", Tensor::from<double>(Shape{1, 3}, {2, 1, 2}));
  const auto shared = value_and_gradients([&] { return sum(max(x.value(), 2)); }, {{x}});
  CHECK(shared.gradients[0].to<double>() == std::vector<double>{0.5, 0, 0.5});

  const Variable y("y", Tensor::from<double>(Shape{1, 3}, {2, 3, 0}));
  const auto tie = value_and_gradients([&] { return sum(maximum(x.value(), y.value())); }, std::vector{x, y});
  CHECK(tie.gradients[0].to<double>() == std::vector<double>{1, 0, 1});
  CHECK(tie.gradients[1].to<double>() == std::vector<double>{0, 1, 0});
}
