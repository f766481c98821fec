#pragma once
#include "engine/core/threads.hpp"
#include "engine/kernels/windows.hpp"

namespace assay::engine::eigen {

/// im2col: rows[i] = the patch of x under result pixel pixels.begin + i (counted over all images), as y.size * x.size *
/// c values, zeros outside the image.
template <class T>
void gather_patches(const Convolution& s, Range pixels, const T* x, T* rows);

/// col2im: adds rows[i] back onto the patch that gather_patches() would have read it from.
template <class T>
void scatter_patches(const Convolution& s, Range pixels, const T* rows, T* x);

/// Result pixels a chunk, so that their patches (and the factors) stay in a core's second-level cache.
std::int64_t pixels_a_chunk(const Convolution& s, std::size_t element_bytes);

extern template void gather_patches(const Convolution&, Range, const float*, float*);
extern template void gather_patches(const Convolution&, Range, const double*, double*);
extern template void scatter_patches(const Convolution&, Range, const float*, float*);
extern template void scatter_patches(const Convolution&, Range, const double*, double*);

}  // namespace assay::engine::eigen
