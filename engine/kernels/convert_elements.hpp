#pragma once
#include "engine/core/tensor_type.hpp"

namespace assay::engine {

/// `n` elements from one type to another as convert() does it, one after the other; vectorised where that matters
/// (float32 to and from the 16-bit formats).
using ConvertLoop = void (*)(const std::byte* from, std::byte* to, std::int64_t n);
ConvertLoop convert_loop(DType from, DType to);

/// The elements of a plain tensor, on `threads` threads.
void convert_elements(const View& from, const TensorType& type, std::byte* to, DType dtype, int threads);

}  // namespace assay::engine
