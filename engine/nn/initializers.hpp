#pragma once
#include <cstdint>

#include "engine/core/tensor.hpp"

namespace assay::engine {

/// Fan-in and fan-out as Keras counts them: all but the last two dimensions are the receptive field.
struct Fans {
  double in = 0, out = 0;
};
Fans fans(const Shape& shape);

/// How a kernel begins; biases begin at zero.
enum class Initializer : std::uint8_t { glorot_uniform, he_normal, zeros };
Tensor initial(Initializer initializer, const Shape& shape, std::uint64_t seed, std::uint64_t stream);

/// Uniform in +-sqrt(6 / (fan_in + fan_out)) (Glorot and Bengio 2010). Values depend on seed and stream alone.
Tensor glorot_uniform(const Shape& shape, std::uint64_t seed, std::uint64_t stream);
/// Normal of deviation sqrt(2 / fan_in) (He et al. 2015), cut at two deviations and widened to keep the variance, as
/// Keras does.
Tensor he_normal(const Shape& shape, std::uint64_t seed, std::uint64_t stream);

}  // namespace assay::engine
