// The oracle itself against values worked out by hand or in closed form.
#include <cmath>

#include "tests/catch.hpp"
#include "tests/engine/kernels/run_operation.hpp"

using namespace assay::engine;
using namespace assay::engine::testing;

namespace {

struct Row {
  const char* what;
  Operation operation;
  std::vector<Values> in;
  std::vector<Values> expected;
};

const Values square_image = values({1, 3, 3, 1}, {1, 2, 3, 4, 5, 6, 7, 8, 9});

std::vector<Row> rows() {
  const double e = std::exp(1.0);
  const Shape pair{2};
  return {
      {"matmul",
       {Op::matmul},
       {values({2, 3}, {1, 2, 3, 4, 5, 6}), values({3, 2}, {7, 8, 9, 10, 11, 12})},
       {values({2, 2}, {58, 64, 139, 154})}},
      {"matmul, left transposed",
       {Op::matmul, {.transpose_a = true}},
       {values({3, 2}, {1, 4, 2, 5, 3, 6}), values({3, 2}, {7, 8, 9, 10, 11, 12})},
       {values({2, 2}, {58, 64, 139, 154})}},
      {"matmul, right transposed",
       {Op::matmul, {.transpose_b = true}},
       {values({2, 3}, {1, 2, 3, 4, 5, 6}), values({2, 3}, {7, 9, 11, 8, 10, 12})},
       {values({2, 2}, {58, 64, 139, 154})}},
      {"inner_product",
       {Op::inner_product},
       {values({1, 2}, {1, 2}), values({2, 2}, {3, 4, 5, 6})},
       {values({1, 2}, {13, 16})}},
      {"inner_product_data",
       {Op::inner_product_data},
       {values({1, 2}, {1, 2}), values({2, 2}, {3, 4, 5, 6})},
       {values({1, 2}, {11, 17})}},
      {"inner_product_weights",
       {Op::inner_product_weights},
       {values({1, 2}, {1, 2}), values({1, 2}, {3, 4})},
       {values({2, 2}, {3, 4, 6, 8})}},
      {"conv2d, valid",
       {Op::conv2d},
       {square_image, values({2, 2, 1, 1}, {1, 2, 3, 4})},
       {values({1, 2, 2, 1}, {37, 47, 67, 77})}},
      {"conv2d, same: the odd cell is padded at the end",
       {Op::conv2d, {.padding = Padding::same}},
       {square_image, values({2, 2, 1, 1}, {1, 2, 3, 4})},
       {values({1, 3, 3, 1}, {37, 47, 21, 67, 77, 33, 23, 26, 9})}},
      {"conv2d, stride 2, same",
       {Op::conv2d, {.padding = Padding::same, .stride = 2}},
       {square_image, values({3, 3, 1, 1}, std::vector<double>(9, 1))},
       {values({1, 2, 2, 1}, {12, 16, 24, 28})}},
      {"conv2d, channels",
       {Op::conv2d},
       {values({1, 1, 1, 2}, {1, 2}), values({1, 1, 2, 3}, {1, 2, 3, 4, 5, 6})},
       {values({1, 1, 1, 3}, {9, 12, 15})}},
      {"conv2d_data",
       {Op::conv2d_data, {.shape = {1, 3, 3, 1}}},
       {values({1, 2, 2, 1}, {1, 2, 3, 4}), values({2, 2, 1, 1}, {1, 2, 3, 4})},
       {values({1, 3, 3, 1}, {1, 4, 4, 6, 20, 16, 9, 24, 16})}},
      {"conv2d_weights",
       {Op::conv2d_weights, {.shape = {2, 2, 1, 1}}},
       {square_image, values({1, 2, 2, 1}, {1, 2, 3, 4})},
       {values({2, 2, 1, 1}, {37, 47, 67, 77})}},
      {"add_bias",
       {Op::add_bias},
       {values({2, 2}, {1, 2, 3, 4}), values({2}, {10, 20})},
       {values({2, 2}, {11, 22, 13, 24})}},
      {"relu", {Op::relu}, {values({3}, {-1, 0, 2})}, {values({3}, {0, 0, 2})}},
      {"relu_gradient",
       {Op::relu_gradient},
       {values({3}, {5, 6, 7}), values({3}, {0, 0, 2})},
       {values({3}, {0, 0, 7})}},
      {"max_pool takes the first of equals",
       {Op::max_pool, {.window = 2, .stride = 2}},
       {values({1, 2, 4, 1}, {1, 1, 5, 2, 1, 1, 3, 9})},
       {values({1, 1, 2, 1}, {1, 9}), values({1, 1, 2, 1}, {0, 7}, DType::int32)}},
      {"max_pool_gradient adds where windows overlap",
       {Op::max_pool_gradient, {.window = 2, .stride = 1, .shape = {1, 2, 3, 1}}},
       {values({1, 1, 2, 1}, {3, 4}), values({1, 1, 2, 1}, {1, 1}, DType::int32)},
       {values({1, 2, 3, 1}, {0, 7, 0, 0, 0, 0})}},
      {"softmax",
       {Op::softmax},
       {values({2, 2}, {0, 1, 1000, 1000})},
       {values({2, 2}, {1 / (1 + e), e / (1 + e), 0.5, 0.5})}},
      {"softmax_gradient",
       {Op::softmax_gradient},
       {values({1, 2}, {1, 3}), values({1, 2}, {0.25, 0.75})},
       {values({1, 2}, {0.25 * (1 - 2.5), 0.75 * (3 - 2.5)})}},
      {"softmax_cross_entropy",
       {Op::softmax_cross_entropy},
       {values({2, 2}, {0, 1, 5, 5}), values({2}, {0, 1}, DType::int32)},
       {values({2}, {std::log(1 + e), std::log(2.0)}), values({2, 2}, {1 / (1 + e), e / (1 + e), 0.5, 0.5})}},
      {"softmax_cross_entropy_gradient",
       {Op::softmax_cross_entropy_gradient},
       {values({2}, {2, 1}), values({2, 2}, {0.25, 0.75, 0.5, 0.5}), values({2}, {0, 1}, DType::int32)},
       {values({2, 2}, {-1.5, 1.5, 0.5, -0.5})}},
      {"sum", {Op::sum, {.axes = 2}}, {values({2, 3}, {1, 2, 3, 4, 5, 6})}, {values({2}, {6, 15})}},
      {"sum of the outer axes",
       {Op::sum, {.axes = 5}},
       {values({2, 2, 2}, {1, 2, 3, 4, 5, 6, 7, 8})},
       {values({2}, {14, 22})}},
      {"mean", {Op::mean, {.axes = 1}}, {values({2, 2}, {1, 2, 3, 6})}, {values({2}, {2, 4})}},
      {"max", {Op::max, {.axes = 3}}, {values({2, 2}, {-4, -2, -3, -6})}, {values(Shape{}, {-2})}},
      {"argmax takes the first",
       {Op::argmax},
       {values({2, 3}, {1, 3, 3, 9, 0, 2})},
       {values({2}, {1, 0}, DType::int32)}},
      {"reshape", {Op::reshape, {.shape = {4}}}, {values({2, 2}, {1, 2, 3, 4})}, {values({4}, {1, 2, 3, 4})}},
      {"broadcast along rows",
       {Op::broadcast, {.axes = 1, .shape = {2, 2}}},
       {values({2}, {1, 2})},
       {values({2, 2}, {1, 2, 1, 2})}},
      {"broadcast along columns",
       {Op::broadcast, {.axes = 2, .shape = {2, 2}}},
       {values({2}, {1, 2})},
       {values({2, 2}, {1, 1, 2, 2})}},
      {"add", {Op::add}, {values(pair, {1, 2}), values(pair, {3, 5})}, {values(pair, {4, 7})}},
      {"subtract a scalar", {Op::subtract}, {values(pair, {1, 2}), values({}, {3})}, {values(pair, {-2, -1})}},
      {"multiply", {Op::multiply}, {values(pair, {2, 3}), values(pair, {5, 7})}, {values(pair, {10, 21})}},
      {"divide", {Op::divide}, {values(pair, {1, 9}), values(pair, {2, 3})}, {values(pair, {0.5, 3})}},
      {"maximum", {Op::maximum}, {values(pair, {1, 9}), values(pair, {2, 3})}, {values(pair, {2, 9})}},
      {"equal",
       {Op::equal},
       {values(pair, {1, 2}, DType::int32), values(pair, {1, 3}, DType::int32)},
       {values(pair, {1, 0})}},
      {"negate", {Op::negate}, {values(pair, {1, -2})}, {values(pair, {-1, 2})}},
      {"exp", {Op::exp}, {values(pair, {0, 1})}, {values(pair, {1, e})}},
      {"log", {Op::log}, {values(pair, {1, 2})}, {values(pair, {0, std::log(2.0)})}},
      {"sqrt", {Op::sqrt}, {values(pair, {4, 2})}, {values(pair, {2, std::sqrt(2.0)})}},
      {"square", {Op::square}, {values(pair, {-3, 2})}, {values(pair, {9, 4})}},
      {"tanh", {Op::tanh}, {values(pair, {0, std::atanh(0.5)})}, {values(pair, {0, 0.5})}},
      {"scale", {Op::scale, {.scalar = 3}}, {values(pair, {1, 2})}, {values(pair, {3, 6})}},
      {"add_scalar counts past float32",
       {Op::add_scalar, {.scalar = 1}},
       {values({}, {0x1p40}, DType::int64)},
       {values({}, {0x1p40 + 1}, DType::int64)}},
      {"cast",
       {Op::cast, {.dtype = DType::int8}},
       {values({4}, {1.5, 2.5, -300, 300})},
       {values({4}, {2, 2, -128, 127}, DType::int8)}},
      {"sgd",
       {Op::sgd, {.momentum = 0.5}},
       {values({1}, {1}), values({1}, {2}), values({1}, {4}), values({}, {0.25}), values({}, {1})},
       {values({1}, {2.5}), values({1}, {1.5})}},
      {"sgd, Nesterov",
       {Op::sgd, {.momentum = 0.5, .nesterov = true}},
       {values({1}, {1}), values({1}, {2}), values({1}, {4}), values({}, {0.25}), values({}, {1})},
       {values({1}, {1.25}), values({1}, {1.5})}},
      {"sgd, skipped",
       {Op::sgd, {.momentum = 0.5}},
       {values({1}, {1}), values({1}, {2}), values({1}, {4}), values({}, {0.25}), values({}, {0})},
       {values({1}, {1}), values({1}, {4})}},
      // First step from zero moments: the corrections make it rate * g / (|g| + epsilon / sqrt(1 - beta2)).
      {"adam, first step",
       {Op::adam, {.beta1 = 0.9, .beta2 = 0.99, .epsilon = 0.1}},
       {values({1}, {1}), values({1}, {2}), values({1}, {0}), values({1}, {0}), values({}, {0.5}),
        values({}, {1}, DType::int64), values({}, {1})},
       {values({1}, {1 - 0.5 * 2 / (2 + 0.1 / 0.1)}), values({1}, {0.2}), values({1}, {0.04})}},
      {"adam, skipped",
       {Op::adam, {.beta1 = 0.9, .beta2 = 0.99, .epsilon = 0.1}},
       {values({1}, {1}), values({1}, {2}), values({1}, {3}), values({1}, {4}), values({}, {0.5}),
        values({}, {1}, DType::int64), values({}, {0})},
       {values({1}, {1}), values({1}, {3}), values({1}, {4})}},
      {"reorder of plain layouts", {Op::reorder}, {values(pair, {1, 2})}, {values(pair, {1, 2})}},
  };
}

}  // namespace

TEST_CASE("the reference back end gives what is worked out by hand") {
  for (const Row& row : rows()) {
    INFO(row.what);
    std::vector<TensorType> out;
    for (const Values& tensor : row.expected) out.push_back(tensor.type);
    const OperationResult found = run_operation(row.operation, row.in, out, &reference_backend());
    for (std::size_t i = 0; i < row.expected.size(); ++i) {
      for (std::size_t j = 0; j < row.expected[i].elements.size(); ++j) {
        INFO("output " << i << ", element " << j);
        CHECK(found.out[i].elements[j] == Approx(row.expected[i].elements[j]).epsilon(2e-7).margin(1e-7));
      }
    }
  }
}

TEST_CASE("a convolution's passes are adjoint: <y, conv(x, w)> = <data(y, w), x> = <weights(x, y), w>") {
  const Values x = normals({2, 7, 6, 3}, 1, DType::float64);
  const Values w = normals({3, 2, 3, 4}, 2, DType::float64);
  const Values y = normals({2, 4, 3, 4}, 3, DType::float64);
  Attributes attributes{.padding = Padding::same, .stride = 2};
  const auto inner = [](const Values& a, const Values& b) {
    double sum = 0;
    for (std::size_t i = 0; i < a.elements.size(); ++i) sum += a.elements[i] * b.elements[i];
    return sum;
  };
  const auto run = [&](Op op, const Values& a, const Values& b, const Values& result) {
    attributes.shape = result.type.shape;
    return run_operation({op, attributes}, {a, b}, {result.type}, &reference_backend()).out[0];
  };
  const double expected = inner(y, run(Op::conv2d, x, w, y));
  CHECK(inner(x, run(Op::conv2d_data, y, w, x)) == Approx(expected).epsilon(1e-12));
  CHECK(inner(w, run(Op::conv2d_weights, x, y, w)) == Approx(expected).epsilon(1e-12));
}

TEST_CASE("dropout keeps the share that it should, scales it, and depends on seed and counter alone") {
  const std::int64_t n = 100000;
  const Values ones = values({n}, std::vector<double>(static_cast<std::size_t>(n), 1));
  const auto drop = [&](const Backend& backend, double seed, double counter, int threads) {
    return run_operation({Op::dropout, {.scalar = 0.25}}, {ones, values({2}, {seed, counter}, DType::int64)},
                         {ones.type, {DType::uint8, {n}, {}}}, &backend, threads)
        .out;
  };
  const auto first = drop(reference_backend(), 3, 9, 1);
  double kept = 0;
  for (std::size_t i = 0; i < first[1].elements.size(); ++i) {
    kept += first[1].elements[i];
    CHECK_FALSE(std::fabs(first[0].elements[i] - first[1].elements[i] / 0.75) > 1e-6);
  }
  CHECK(kept / n == Approx(0.75).margin(5 * std::sqrt(0.25 * 0.75 / n)));
  for (const int threads : {1, 2, 3}) CHECK((drop(eigen_backend(), 3, 9, threads)[1].elements == first[1].elements));
  CHECK((drop(eigen_backend(), 3, 10, 1)[1].elements != first[1].elements));
  CHECK((drop(eigen_backend(), 4, 9, 1)[1].elements != first[1].elements));
}
