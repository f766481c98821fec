#include <algorithm>

#include "engine/kernels/maximum.hpp"
#include "engine/kernels/reference/families.hpp"
#include "engine/kernels/windows.hpp"

namespace assay::engine::reference {
namespace {

template <class T>
void forward(const Convolution& s, const T* x, T* y, std::int32_t* indices) {
  for (std::int64_t n = 0; n < s.n; ++n) {
    const T* image = x + n * s.image();
    for (std::int64_t i = 0; i < s.pixels() * s.c; ++i) {
      const std::int64_t c = i % s.c;
      const std::int64_t ox = i / s.c % s.x.out;
      const std::int64_t oy = i / s.c / s.x.out;
      std::int64_t best = -1;
      for (std::int64_t ky = s.y.first(oy); ky < s.y.last(oy); ++ky) {
        for (std::int64_t kx = s.x.first(ox); kx < s.x.last(ox); ++kx) {
          const std::int64_t cell = s.y.cell(oy, ky) * s.x.in + s.x.cell(ox, kx);
          if (best < 0 || exceeds(image[cell * s.c + c], image[best * s.c + c])) best = cell;
        }
      }
      y[n * s.pixels() * s.c + i] = image[best * s.c + c];
      indices[n * s.pixels() * s.c + i] = static_cast<std::int32_t>(best);
    }
  }
}

template <class T>
void gradient(const Convolution& s, const T* dy, const std::int32_t* indices, T* dx) {
  std::fill_n(dx, s.n * s.image(), T{0});
  for (std::int64_t n = 0; n < s.n; ++n) {
    for (std::int64_t i = 0; i < s.pixels() * s.c; ++i) {
      const std::int64_t from = n * s.pixels() * s.c + i;
      dx[n * s.image() + indices[from] * s.c + i % s.c] += dy[from];
    }
  }
}

}  // namespace

Prepared prepare_max_pool(const Request& request) {
  require_count(request, 1, 2);
  const Convolution shape = pooling(request.attributes(), request.in[0].shape, request.out[0].shape);
  return visit_float(request.in[0], [&](auto zero) {
    using T = decltype(zero);
    return reference_answer(request, 0, [shape](auto in, auto out, Context&) {
      forward(shape, in[0].template as<const T>(), out[0].template as<T>(), out[1].template as<std::int32_t>());
    });
  });
}

Prepared prepare_max_pool_gradient(const Request& request) {
  require_count(request, 2, 1);
  const Convolution shape = pooling(request.attributes(), request.out[0].shape, request.in[0].shape);
  return visit_float(request.in[0], [&](auto zero) {
    using T = decltype(zero);
    return reference_answer(request, 0, [shape](auto in, auto out, Context&) {
      gradient(shape, in[0].template as<const T>(), in[1].template as<const std::int32_t>(), out[0].template as<T>());
    });
  });
}

}  // namespace assay::engine::reference
