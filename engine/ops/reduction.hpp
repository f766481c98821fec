#pragma once
#include "engine/core/tensor.hpp"

namespace assay::engine {

/// All axes of a tensor as a mask: bit i is axis i.
constexpr std::uint32_t all_axes = ~0U;

// Reductions over the axes of the mask, which disappear.
Tensor sum(const Tensor& x, std::uint32_t axes = all_axes);
Tensor mean(const Tensor& x, std::uint32_t axes = all_axes);
Tensor max(const Tensor& x, std::uint32_t axes = all_axes);
/// The first maximum of each row of x [m,n], int32.
Tensor argmax(const Tensor& x);

}  // namespace assay::engine
