#pragma once
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace assay::engine {

/// Element types. float32 and float64 compute everywhere; bfloat16 and float16 where the CPU has kernels, elsewhere
/// they are emulated (kernels/emulated.hpp); the two of float8 and int8 only store. uint8 holds raw pixels and masks,
/// int32 labels and pooling indices, int64 counters.
enum class DType : std::uint8_t {
  float32,
  float64,
  bfloat16,
  float16,
  int8,
  uint8,
  int32,
  int64,
  float8_e4m3,
  float8_e5m2
};

/// Bytes of one element.
std::size_t size_of(DType dtype);
/// "float32", "bfloat16", ….
std::string_view name(DType dtype);
/// The inverse of name(); throws std::invalid_argument that lists the valid names.
DType dtype_from(std::string_view name);
/// Whether it is a floating type below float32: bfloat16, float16, the two of float8.
constexpr bool is_narrow(DType dtype) {
  return dtype == DType::bfloat16 || dtype == DType::float16 || dtype == DType::float8_e4m3 ||
         dtype == DType::float8_e5m2;
}

}  // namespace assay::engine
