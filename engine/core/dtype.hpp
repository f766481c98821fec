#pragma once
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace assay::engine {

/// Element types. float32 and float64 compute; bfloat16, float16 and int8 only store (cast before use);
/// uint8 holds raw pixels and masks, int32 labels and pooling indices, int64 counters.
enum class DType : std::uint8_t { float32, float64, bfloat16, float16, int8, uint8, int32, int64 };

/// Bytes of one element.
std::size_t size_of(DType dtype);
/// "float32", "bfloat16", ….
std::string_view name(DType dtype);
/// The inverse of name(); throws std::invalid_argument that lists the valid names.
DType dtype_from(std::string_view name);

}  // namespace assay::engine
