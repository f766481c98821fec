#include "engine/nn/initializers.hpp"

#include <cmath>

#include "engine/core/random.hpp"

namespace assay::engine {

Fans fans(const Shape& shape) {
  double field = 1;
  for (std::size_t i = 0; i + 2 < shape.rank(); ++i) field *= static_cast<double>(shape.dims()[i]);
  if (shape.rank() < 2) return {static_cast<double>(shape.elements()), static_cast<double>(shape.elements())};
  return {field * static_cast<double>(shape[-2]), field * static_cast<double>(shape[-1])};
}

Tensor glorot_uniform(const Shape& shape, std::uint64_t seed, std::uint64_t stream) {
  const auto [in, out] = fans(shape);
  const auto limit = static_cast<float>(std::sqrt(6.0 / (in + out)));
  const Tensor result = Tensor::zeros(shape);
  fill_uniform(result.as<float>(), seed, stream, -limit, limit);
  return result;
}

Tensor he_normal(const Shape& shape, std::uint64_t seed, std::uint64_t stream) {
  // The deviation of a standard normal cut at +-2; Keras divides by it.
  constexpr double deviation_of_cut = 0.87962566103423978;
  const double deviation = std::sqrt(2.0 / fans(shape).in) / deviation_of_cut;
  const Tensor result = Tensor::zeros(shape);
  std::uint64_t draw = 0;
  for (float& value : result.as<float>()) {
    float z = normal(seed, stream, draw++);
    while (std::abs(z) > 2.0F) z = normal(seed, stream, draw++);
    value = static_cast<float>(z * deviation);
  }
  return result;
}

Tensor initial(Initializer initializer, const Shape& shape, std::uint64_t seed, std::uint64_t stream) {
  switch (initializer) {
    case Initializer::glorot_uniform:
      return glorot_uniform(shape, seed, stream);
    case Initializer::he_normal:
      return he_normal(shape, seed, stream);
    case Initializer::zeros:
      break;
  }
  return Tensor::zeros(shape);
}

}  // namespace assay::engine
