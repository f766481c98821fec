// Max pooling and argmax: NaN is the largest value, and the first NaN has the index, as in numpy.argmax.
#include "engine/kernels/windows.hpp"
#include "tests/engine/kernels/non_finite/non_finite.hpp"

using namespace assay::engine;
using namespace assay::engine::testing;

namespace {

/// The largest cell of a window by the rule, as flat h*w offset.
std::int64_t winner(const Values& x, const Convolution& s, std::int64_t oy, std::int64_t ox, std::int64_t channel) {
  std::int64_t best = -1;
  for (std::int64_t ky = s.y.first(oy); ky < s.y.last(oy); ++ky) {
    for (std::int64_t kx = s.x.first(ox); kx < s.x.last(ox); ++kx) {
      const std::int64_t cell = s.y.cell(oy, ky) * s.x.in + s.x.cell(ox, kx);
      const auto value = [&](std::int64_t of) { return x.elements[static_cast<std::size_t>(of * s.c + channel)]; };
      if (best < 0 || (!std::isnan(value(best)) && (std::isnan(value(cell)) || value(cell) > value(best)))) best = cell;
    }
  }
  return best;
}

void check_pool(const Values& x, const Attributes& attributes, const std::string& what) {
  const Shape& in = x.type.shape;
  const Axis rows = window_axis(in[1], attributes.window, attributes.stride, attributes.padding);
  const Axis columns = window_axis(in[2], attributes.window, attributes.stride, attributes.padding);
  const Convolution s{1, in[3], in[3], rows, columns};
  const Shape out{1, rows.out, columns.out, in[3]};
  Values y = values(out, {}, x.type.dtype), indices = values(out, {}, DType::int32);
  Values dy = values(out, {}, x.type.dtype), dx = values(in, std::vector<double>(x.elements.size(), 0), x.type.dtype);
  for (std::int64_t i = 0; i < out.elements(); ++i) {
    const std::int64_t cell = winner(x, s, i / in[3] / columns.out, i / in[3] % columns.out, i % in[3]);
    const auto place = static_cast<std::size_t>(cell * in[3] + i % in[3]);
    y.elements.push_back(x.elements[place]);
    indices.elements.push_back(static_cast<double>(cell));
    dy.elements.push_back(static_cast<double>(1 + i % 3));
    dx.elements[place] += static_cast<double>(1 + i % 3);
  }
  check_everywhere({Op::max_pool, attributes}, {x}, {y, indices}, what);
  Attributes back = attributes;
  back.shape = in;
  check_everywhere({Op::max_pool_gradient, back}, {dy, indices}, {dx}, what);
}

}  // namespace

TEST_CASE("max pooling hands NaN on from every place of a window, and the gradient goes to the first NaN") {
  for (const DType dtype : {DType::float32, DType::float64, DType::bfloat16, DType::float16}) {
    for (const std::int64_t channels : {1, 3, 16, 19}) {
      for (const Attributes& attributes : {Attributes{.window = 2, .stride = 2}, Attributes{.window = 3, .stride = 1},
                                           Attributes{.padding = Padding::same, .window = 3, .stride = 2}}) {
        for (std::int64_t cell = 0; cell < 16; ++cell) {
          Values x = values({1, 4, 4, channels}, {}, dtype);
          for (std::int64_t i = 0; i < 16 * channels; ++i) {
            // Channels differ in where the NaN is; every fifth has two, and other ones infinities.
            const std::int64_t here = i / channels, channel = i % channels;
            const bool is_nan = here == (cell + channel) % 16 || (channel % 5 == 0 && here == (cell + 5) % 16);
            const double number = here % 4 == 1 ? inf : here % 4 == 2 ? -inf : static_cast<double>(here % 7) - 3;
            x.elements.push_back(is_nan ? (here % 2 == 0 ? qnan : -qnan) : number);
          }
          check_pool(
              x, attributes,
              std::string(name(dtype)) + ", " + std::to_string(channels) + " channels, cell " + std::to_string(cell));
        }
      }
    }
  }
}

TEST_CASE("a window of nothing but minus infinity is minus infinity, with the index of its first cell") {
  for (const DType dtype : {DType::float32, DType::float64, DType::bfloat16, DType::float16}) {
    const Values x = values({1, 2, 2, 5}, std::vector<double>(20, -inf), dtype);
    check_pool(x, {.window = 2, .stride = 2}, std::string(name(dtype)));
  }
}

TEST_CASE("argmax gives the first NaN of a row, or else the first of the largest") {
  check_everywhere(
      {Op::argmax},
      {values({6, 3}, {1, qnan, 3, qnan, inf, qnan, 1, 2, qnan, inf, 1, inf, -inf, -inf, -inf, -inf, inf, 1})},
      {values({6}, {1, 0, 2, 0, 0, 1}, DType::int32)}, "rows of 3");
  for (const DType dtype : {DType::float32, DType::float64, DType::bfloat16, DType::float16}) {
    Values x = values({40, 40}, std::vector<double>(1600, 1), dtype), expected = values({40}, {}, DType::int32);
    for (std::size_t row = 0; row < 40; ++row) {
      x.elements[row * 40 + row] = qnan;
      x.elements[row * 40 + 39] = row % 2 == 0 ? qnan : inf;
      expected.elements.push_back(static_cast<double>(row == 39 ? 39 : row));
    }
    x.elements.back() = qnan;
    check_everywhere({Op::argmax}, {x}, {expected}, std::string(name(dtype)));
  }
}
