#pragma once
#include <span>
#include <string_view>

#include "engine/core/dtype.hpp"

namespace assay::engine {

/// In which types a layer computes and keeps its variables. A layer casts its input and its weights to `compute`; under
/// a mixed policy the variables stay float32, so that small updates are not lost.
struct Policy {
  std::string_view name = "float32";
  DType compute = DType::float32;
  DType variables = DType::float32;
  /// Factors of products on the E4M3 grid, gradients that reach them on the E5M2 one, scaled by what past steps saw;
  /// `compute` is then what carries those values.
  bool float8 = false;
  /// Whether gradients of its range need a scaled loss: float16's are 0 below 2^-25.
  bool scales_loss = false;

  bool operator==(const Policy&) const = default;
};

/// float32, float64, bfloat16, float16, mixed_bfloat16, mixed_float16, mixed_float8.
std::span<const Policy> policies();
/// Throws std::invalid_argument that lists the valid names.
const Policy& policy_named(std::string_view name);

}  // namespace assay::engine
