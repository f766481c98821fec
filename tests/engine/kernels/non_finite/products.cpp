// Products and convolutions: sums of products by IEEE arithmetic, no term left out. With and without a fused bias and
// ReLU, for which oneDNN has kernels of its own.
#include <functional>

#include "engine/controls/library.hpp"
#include "engine/kernels/windows.hpp"
#include "tests/engine/kernels/non_finite/non_finite.hpp"

using namespace assay::engine;
using namespace assay::engine::testing;

namespace {

constexpr DType float_types[] = {DType::float32, DType::float64, DType::bfloat16, DType::float16};

std::size_t at(std::int64_t i) { return static_cast<std::size_t>(i); }

/// Small whole numbers, exact in every type, with a special value in some place.
Values with(Shape shape, DType dtype, std::int64_t place = 0, double special = 1) {
  Values tensor = values(shape, {}, dtype);
  for (std::int64_t i = 0; i < shape.elements(); ++i) tensor.elements.push_back(static_cast<double>(1 - i * 7 % 3));
  if (shape.elements() > 0) tensor.elements[at(place)] = special;
  return tensor;
}

double relu_of(double x) { return x < 0 ? 0 : x; }

/// [m,n] from element(i, j).
Values matrix(std::int64_t m, std::int64_t n, DType dtype,
              const std::function<double(std::int64_t, std::int64_t)>& element) {
  Values result = values({m, n}, {}, dtype);
  for (std::int64_t i = 0; i < m * n; ++i) result.elements.push_back(element(i / n, i % n));
  return result;
}

/// Every operation that multiplies a [m,k] by b [k,n].
void check_products(const Values& a, const Values& b, const std::string& what) {
  const std::int64_t m = a.type.shape[0], k = a.type.shape[1], n = b.type.shape[1];
  const DType dtype = a.type.dtype;
  const Values expected = matrix(m, n, dtype, [&](std::int64_t i, std::int64_t j) {
    double sum = 0;
    for (std::int64_t p = 0; p < k; ++p) sum += a.elements[at(i * k + p)] * b.elements[at(p * n + j)];
    return sum;
  });
  const auto transposed = [&](const Values& x) {
    return matrix(x.type.shape[1], x.type.shape[0], dtype,
                  [&](std::int64_t i, std::int64_t j) { return x.elements[at(j * x.type.shape[1] + i)]; });
  };
  check_everywhere({Op::matmul}, {a, b}, {expected}, what);
  check_everywhere({Op::matmul, {.transpose_a = true, .transpose_b = true}}, {transposed(a), transposed(b)}, {expected},
                   what);
  check_everywhere({Op::inner_product}, {a, b}, {expected}, what);
  check_everywhere({Op::inner_product_data}, {a, transposed(b)}, {expected}, what);
  check_everywhere({Op::inner_product_weights}, {transposed(a), b}, {expected}, what);

  Values bias = with({n}, dtype), finished = expected, biased = expected;
  if (n > 2) bias.elements[1] = qnan, bias.elements[2] = -inf;
  for (std::int64_t i = 0; i < m * n; ++i) {
    biased.elements[at(i)] += bias.elements[at(i % n)];
    finished.elements[at(i)] = relu_of(biased.elements[at(i)]);
  }
  for (const Op op : {Op::matmul, Op::inner_product}) {
    check_everywhere({op}, {a, b, bias}, {biased}, what + ", bias");
    check_everywhere({op, {.relu = true}}, {a, b, bias}, {finished}, what + ", bias and ReLU");
  }
}

}  // namespace

TEST_CASE("products hand on NaN and infinity, and 0 times infinity is NaN") {
  struct Size {
    std::int64_t m, k, n;
  };
  for (const DType dtype : float_types) {
    for (const auto& [m, k, n] : {Size{1, 1, 1}, Size{1, 40, 33}, Size{5, 3, 7}, Size{33, 65, 17}}) {
      const std::string size =
          std::string(name(dtype)) + " " + std::to_string(m) + "x" + std::to_string(k) + "x" + std::to_string(n);
      for (const double special : {qnan, inf, -inf}) {
        for (const std::int64_t place : {std::int64_t{0}, m * k / 2, m * k - 1})
          check_products(with({m, k}, dtype, place, special), with({k, n}, dtype), size + ", left");
        for (const std::int64_t place : {std::int64_t{0}, k * n / 2, k * n - 1})
          check_products(with({m, k}, dtype), with({k, n}, dtype, place, special), size + ", right");
      }
    }
  }
}

TEST_CASE("a finite sum below zero is exactly 0 after a fused ReLU, however large") {
  for (const double large : {-1.0, -1e30, -3e38}) {
    const Values a = values({2, 2}, {large, 0, 0, 1}), b = values({2, 3}, {1, 1, 1, 1, 1, 1});
    const Values bias = values({3}, {0, 0, 0});
    for (const Op op : {Op::matmul, Op::inner_product}) {
      for (const Backend* backend : all_backends()) {
        if (backend == &onednn_backend() && !onednn_present()) continue;
        const auto found = run_operation({op, {.relu = true}}, {a, b, bias}, {values({2, 3}, {}).type}, backend, 1,
                                         ControlSet{}.without(Control::flush_denormals));
        CHECK((found.out[0].elements == std::vector<double>{0, 0, 0, 1, 1, 1}));
      }
    }
  }
}

TEST_CASE("convolutions hand on NaN and infinity to the windows that have them, and to no other") {
  struct Size {
    Shape x, w;
    std::int64_t stride;
  };
  for (const DType dtype : float_types) {
    for (const auto& [x_shape, w_shape, stride] :
         {Size{{1, 3, 3, 1}, {2, 2, 1, 1}, 1}, Size{{2, 5, 5, 3}, {3, 3, 3, 5}, 1},
          Size{{2, 6, 6, 16}, {3, 3, 16, 16}, 1}, Size{{1, 7, 7, 4}, {3, 3, 4, 20}, 2}}) {
      const Axis rows = window_axis(x_shape[1], w_shape[0], stride, Padding::valid);
      const Axis columns = window_axis(x_shape[2], w_shape[1], stride, Padding::valid);
      const Convolution s{x_shape[0], x_shape[3], w_shape[3], rows, columns};
      const Shape y_shape{s.n, rows.out, columns.out, s.o};
      // Visits every product of the sums with its place in x, w and y.
      const auto each_product = [&](auto&& visit) {
        for (std::int64_t i = 0; i < y_shape.elements(); ++i) {
          const std::int64_t o = i % s.o, ox = i / s.o % columns.out, oy = i / s.o / columns.out % rows.out;
          const std::int64_t image = i / s.o / s.pixels();
          for (std::int64_t tap = 0; tap < s.patch(); ++tap) {
            const std::int64_t c = tap % s.c, kx = tap / s.c % w_shape[1], ky = tap / s.c / w_shape[1];
            visit(((image * x_shape[1] + rows.cell(oy, ky)) * x_shape[2] + columns.cell(ox, kx)) * s.c + c,
                  tap * s.o + o, i);
          }
        }
      };
      const auto sums = [&](Shape shape, auto&& term) {
        Values result = values(shape, std::vector<double>(at(shape.elements()), 0), dtype);
        each_product([&](std::int64_t x, std::int64_t w, std::int64_t y) { term(result.elements, x, w, y); });
        return result;
      };
      for (const double special : {qnan, inf}) {
        const std::string what = std::string(name(dtype)) + " " + to_string(x_shape) + " " + std::to_string(special);
        const auto places = [](const Shape& shape) {
          return std::array{std::int64_t{0}, shape.elements() / 2, shape.elements() - 1};
        };
        const auto check = [&](const Values& x, const Values& w, const Values& dy) {
          Attributes at_y{.stride = stride}, at_x = at_y, at_w = at_y;
          at_x.shape = x_shape, at_w.shape = w_shape;
          const Values y = sums(
              y_shape, [&](auto& out, auto i, auto j, auto k) { out[at(k)] += x.elements[at(i)] * w.elements[at(j)]; });
          check_everywhere({Op::conv2d, at_y}, {x, w}, {y}, what);
          Values finished = y;
          for (double& element : finished.elements) element = relu_of(element - 1);
          at_y.relu = true;
          check_everywhere({Op::conv2d, at_y}, {x, w, values({s.o}, std::vector<double>(at(s.o), -1), dtype)},
                           {finished}, what + ", bias and ReLU");
          check_everywhere({Op::conv2d_data, at_x}, {dy, w},
                           {sums(x_shape, [&](auto& out, auto i, auto j,
                                              auto k) { out[at(i)] += dy.elements[at(k)] * w.elements[at(j)]; })},
                           what);
          check_everywhere({Op::conv2d_weights, at_w}, {x, dy},
                           {sums(w_shape, [&](auto& out, auto i, auto j,
                                              auto k) { out[at(j)] += dy.elements[at(k)] * x.elements[at(i)]; })},
                           what);
        };
        for (const std::int64_t place : places(x_shape))
          check(with(x_shape, dtype, place, special), with(w_shape, dtype), with(y_shape, dtype));
        for (const std::int64_t place : places(w_shape))
          check(with(x_shape, dtype), with(w_shape, dtype, place, special), with(y_shape, dtype));
        for (const std::int64_t place : places(y_shape))
          check(with(x_shape, dtype), with(w_shape, dtype), with(y_shape, dtype, place, special));
      }
    }
  }
}
