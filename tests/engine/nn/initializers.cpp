#include "engine/nn/initializers.hpp"

#include <cmath>

#include "tests/catch.hpp"

using namespace assay::engine;

namespace {

struct Moments {
  double mean = 0, variance = 0, largest = 0;
};

Moments moments(const Tensor& tensor) {
  Moments m;
  const auto values = tensor.as<float>();
  const auto n = static_cast<double>(values.size());
  for (const float value : values) m.mean += static_cast<double>(value) / n;
  for (const float value : values) {
    m.variance += std::pow(static_cast<double>(value) - m.mean, 2) / n;
    m.largest = std::max(m.largest, std::abs(static_cast<double>(value)));
  }
  return m;
}

}  // namespace

TEST_CASE("fans are counted as Keras does: the receptive field multiplies both") {
  CHECK(fans(Shape{784, 128}).in == 784.0);
  CHECK(fans(Shape{784, 128}).out == 128.0);
  CHECK(fans(Shape{3, 3, 16, 32}).in == 144.0);
  CHECK(fans(Shape{3, 3, 16, 32}).out == 288.0);
}

TEST_CASE("glorot_uniform: variance 2 / (fan_in + fan_out), bounds, mean 0") {
  for (const Shape& shape : {Shape{400, 300}, Shape{3, 3, 100, 120}}) {
    const auto [in, out] = fans(shape);
    const Moments m = moments(glorot_uniform(shape, 0, 1));
    const double variance = 2 / (in + out);
    CHECK(m.variance == Approx(variance).epsilon(0.02));  // five deviations of the estimate
    CHECK(std::abs(m.mean) < 5 * std::sqrt(variance / static_cast<double>(shape.elements())));
    CHECK(m.largest <= std::sqrt(3 * variance) * (1 + 1e-6));
    CHECK(m.largest > 0.99 * std::sqrt(3 * variance));
  }
}

TEST_CASE("he_normal: variance 2 / fan_in though cut at two deviations of the uncut normal") {
  const Shape shape{500, 300};
  const Moments m = moments(he_normal(shape, 0, 1));
  CHECK(m.variance == Approx(2.0 / 500).epsilon(0.02));
  CHECK(m.largest <= 2 * std::sqrt(2.0 / 500) / 0.8796256610342398 * (1 + 1e-6));
}

TEST_CASE("values follow from seed and stream alone") {
  const Shape shape{30, 20};
  CHECK(glorot_uniform(shape, 1, 2).to<float>() == glorot_uniform(shape, 1, 2).to<float>());
  CHECK(glorot_uniform(shape, 1, 2).to<float>() != glorot_uniform(shape, 1, 3).to<float>());
  CHECK(glorot_uniform(shape, 1, 2).to<float>() != glorot_uniform(shape, 2, 2).to<float>());
}
