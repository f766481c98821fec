// Reductions, softmax and cross entropy.
#include "tests/engine/kernels/non_finite/non_finite.hpp"

using namespace assay::engine;
using namespace assay::engine::testing;

namespace {

constexpr DType float_types[] = {DType::float32, DType::float64, DType::bfloat16, DType::float16};

/// The reduction of some elements in order.
double reduced(Op op, const std::vector<double>& elements) {
  double result = op == Op::max ? -inf : 0;
  for (const double x : elements) result = op != Op::max ? result + x : std::isnan(x) || x > result ? x : result;
  return op == Op::mean ? result / static_cast<double>(elements.size()) : result;
}

/// A reduction of a [rows, columns] tensor along columns, rows, or both (axes 2, 1, 3).
Values expected_of(Op op, const Values& x, std::uint32_t axes) {
  const auto rows = static_cast<std::size_t>(x.type.shape[0]), columns = static_cast<std::size_t>(x.type.shape[1]);
  std::vector<std::vector<double>> groups(axes == 3 ? 1 : axes == 2 ? rows : columns);
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t j = 0; j < columns; ++j)
      groups[axes == 3 ? 0 : axes == 2 ? i : j].push_back(x.elements[i * columns + j]);
  }
  std::vector<double> results;
  for (const auto& group : groups) results.push_back(reduced(op, group));
  const Shape shape = axes == 3 ? Shape{} : Shape{static_cast<std::int64_t>(groups.size())};
  return values(shape, std::move(results), x.type.dtype);
}

void check_reductions(const Values& x, const std::string& what) {
  for (const Op op : {Op::sum, Op::mean, Op::max}) {
    for (const std::uint32_t axes : {1u, 2u, 3u})
      check_everywhere({op, {.axes = axes}}, {x}, {expected_of(op, x, axes)}, what + ", axes " + std::to_string(axes));
  }
}

}  // namespace

TEST_CASE("reductions hand on one NaN or infinity from any place") {
  for (const DType dtype : float_types) {
    for (const double special : {qnan, inf, -inf}) {
      for (std::size_t place = 0; place < 3 * 37; ++place) {
        Values x = values({3, 37}, std::vector<double>(3 * 37, 1), dtype);
        x.elements[place] = special;
        check_reductions(x, std::string(name(dtype)) + " " + std::to_string(special) + " at " + std::to_string(place));
      }
    }
  }
}

TEST_CASE("reductions that two threads share hand on what either finds") {
  for (const double special : {qnan, inf}) {
    for (const std::size_t place : {0u, 149u, 300u * 299u, 300u * 300u - 1u}) {
      Values x = values({300, 300}, std::vector<double>(300 * 300, 1));
      x.elements[place] = special;
      check_reductions(x, std::to_string(special) + " at " + std::to_string(place));
    }
  }
}

TEST_CASE("infinities of both signs add up to NaN, and NaN is above infinity") {
  check_reductions(values({2, 2}, {inf, -inf, 1, 2}), "both signs in a row");
  check_reductions(values({2, 2}, {inf, qnan, qnan, -inf}), "NaN beside infinity");
  check_reductions(values({2, 2}, {-inf, -inf, -inf, -inf}), "minus infinity alone");
}

TEST_CASE("the maximum of nothing is minus infinity, its sum 0 and its mean NaN") {
  const Values nothing = values({2, 0}, {});
  check_everywhere({Op::max, {.axes = 2}}, {nothing}, {values({2}, {-inf, -inf})}, "no columns");
  check_everywhere({Op::sum, {.axes = 2}}, {nothing}, {values({2}, {0, 0})}, "no columns");
  check_everywhere({Op::mean, {.axes = 2}}, {nothing}, {values({2}, {qnan, qnan})}, "no columns");
}

TEST_CASE("a row of a softmax with NaN or plus infinity is NaN, and minus infinity has probability 0") {
  for (const DType dtype : float_types) {
    for (const std::int64_t width : {2, 10, 37}) {
      const auto w = static_cast<std::size_t>(width);
      for (std::size_t place = 0; place < w; ++place) {
        // Rows: NaN, inf, -inf among zeros; nothing but -inf.
        Values x = values({4, width}, std::vector<double>(4 * w, 0), dtype);
        Values y = values({4, width}, std::vector<double>(4 * w, qnan), dtype);
        x.elements[place] = qnan, x.elements[w + place] = inf, x.elements[2 * w + place] = -inf;
        std::fill_n(x.elements.begin() + static_cast<std::ptrdiff_t>(3 * w), w, -inf);
        for (std::size_t j = 0; j < w; ++j) y.elements[2 * w + j] = j == place ? 0 : 1 / static_cast<double>(width - 1);
        const std::string what = std::string(name(dtype)) + ", column " + std::to_string(place);
        check_everywhere({Op::softmax}, {x}, {y}, what);

        // The same rows as logits: the label's loss is log(sum of exp) - logit.
        const auto losses_of = [&](std::size_t label) {
          return values({4}, {qnan, qnan, label == place ? inf : std::log(static_cast<double>(width - 1)), qnan},
                        dtype);
        };
        for (const std::size_t label : {std::size_t{0}, w - 1}) {
          const Values labels = values({4}, std::vector<double>(4, static_cast<double>(label)), DType::int32);
          check_everywhere({Op::softmax_cross_entropy}, {x, labels}, {losses_of(label), y}, what);
        }
      }
    }
  }
}

TEST_CASE("gradients of softmax and cross entropy are plain arithmetic: NaN times 0 is NaN, within its row") {
  for (const DType dtype : float_types) {
    check_everywhere(
        {Op::softmax_gradient},
        {values({3, 2}, {qnan, 1, inf, 1, 1, 1}, dtype), values({3, 2}, {0, 1, 0.5, 0.5, 0.5, 0.5}, dtype)},
        {values({3, 2}, {qnan, qnan, qnan, -inf, 0, 0}, dtype)}, std::string(name(dtype)));
    check_everywhere(
        {Op::softmax_cross_entropy_gradient},
        {values({4}, {1, qnan, inf, 0}, dtype), values({4, 2}, {qnan, 0.5, 0.5, 0.5, 0.25, 0.75, qnan, 1}, dtype),
         values({4}, {0, 0, 0, 0}, DType::int32)},
        {values({4, 2}, {qnan, 0.5, qnan, qnan, -inf, inf, qnan, 0}, dtype)}, std::string(name(dtype)));
  }
}
