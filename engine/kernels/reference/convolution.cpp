#include "engine/kernels/epilogue.hpp"
#include "engine/kernels/reference/families.hpp"
#include "engine/kernels/windows.hpp"

namespace assay::engine::reference {
namespace {

bool inside(std::int64_t i, std::int64_t n) { return i >= 0 && i < n; }

/// The window whose cell `k` is input cell `i`; -1 where there is none.
std::int64_t window_of(const Axis& axis, std::int64_t i, std::int64_t k) {
  const std::int64_t start = i + axis.before - k;
  if (start < 0 || start % axis.stride != 0 || start / axis.stride >= axis.out) return -1;
  return start / axis.stride;
}

template <class T>
void forward(const Convolution& s, const T* x, const T* w, T* y) {
  for (std::int64_t n = 0; n < s.n; ++n) {
    for (std::int64_t pixel = 0; pixel < s.pixels(); ++pixel) {
      const std::int64_t oy = pixel / s.x.out;
      const std::int64_t ox = pixel % s.x.out;
      for (std::int64_t o = 0; o < s.o; ++o) {
        double sum = 0;
        for (std::int64_t ky = 0; ky < s.y.size; ++ky) {
          for (std::int64_t kx = 0; kx < s.x.size; ++kx) {
            const std::int64_t iy = s.y.cell(oy, ky);
            const std::int64_t ix = s.x.cell(ox, kx);
            if (!inside(iy, s.y.in) || !inside(ix, s.x.in)) continue;
            for (std::int64_t c = 0; c < s.c; ++c) {
              sum += static_cast<double>(x[((n * s.y.in + iy) * s.x.in + ix) * s.c + c]) *
                     static_cast<double>(w[((ky * s.x.size + kx) * s.c + c) * s.o + o]);
            }
          }
        }
        y[(n * s.pixels() + pixel) * s.o + o] = static_cast<T>(sum);
      }
    }
  }
}

template <class T>
void data(const Convolution& s, const T* dy, const T* w, T* dx) {
  for (std::int64_t n = 0; n < s.n; ++n) {
    for (std::int64_t i = 0; i < s.image(); ++i) {
      const std::int64_t c = i % s.c;
      const std::int64_t ix = i / s.c % s.x.in;
      const std::int64_t iy = i / s.c / s.x.in;
      double sum = 0;
      for (std::int64_t ky = 0; ky < s.y.size; ++ky) {
        for (std::int64_t kx = 0; kx < s.x.size; ++kx) {
          const std::int64_t oy = window_of(s.y, iy, ky);
          const std::int64_t ox = window_of(s.x, ix, kx);
          if (oy < 0 || ox < 0) continue;
          for (std::int64_t o = 0; o < s.o; ++o) {
            sum += static_cast<double>(dy[((n * s.y.out + oy) * s.x.out + ox) * s.o + o]) *
                   static_cast<double>(w[((ky * s.x.size + kx) * s.c + c) * s.o + o]);
          }
        }
      }
      dx[n * s.image() + i] = static_cast<T>(sum);
    }
  }
}

template <class T>
void weights(const Convolution& s, const T* x, const T* dy, T* dw) {
  for (std::int64_t row = 0; row < s.patch(); ++row) {
    const std::int64_t c = row % s.c;
    const std::int64_t kx = row / s.c % s.x.size;
    const std::int64_t ky = row / s.c / s.x.size;
    for (std::int64_t o = 0; o < s.o; ++o) {
      double sum = 0;
      for (std::int64_t n = 0; n < s.n; ++n) {
        for (std::int64_t pixel = 0; pixel < s.pixels(); ++pixel) {
          const std::int64_t iy = s.y.cell(pixel / s.x.out, ky);
          const std::int64_t ix = s.x.cell(pixel % s.x.out, kx);
          if (!inside(iy, s.y.in) || !inside(ix, s.x.in)) continue;
          sum += static_cast<double>(x[((n * s.y.in + iy) * s.x.in + ix) * s.c + c]) *
                 static_cast<double>(dy[(n * s.pixels() + pixel) * s.o + o]);
        }
      }
      dw[row * s.o + o] = static_cast<T>(sum);
    }
  }
}

}  // namespace

Prepared prepare_conv2d(const Request& request) {
  const Epilogue finish = epilogue(request);
  const Convolution shape =
      convolution(request.attributes(), request.in[0].shape, request.in[1].shape, request.out[0].shape);
  return visit_float(request.in[0], [&](auto zero) {
    using T = decltype(zero);
    return reference_answer(request, shape.flops(), [shape, finish](auto in, auto out, Context&) {
      forward(shape, in[0].template as<const T>(), in[1].template as<const T>(), out[0].template as<T>());
      finish.apply(in, out[0].template as<T>(), shape.n * shape.pixels(), shape.o, shape.o);
    });
  });
}

Prepared prepare_conv2d_data(const Request& request) {
  require_count(request, 2, 1);
  const Convolution shape =
      convolution(request.attributes(), request.out[0].shape, request.in[1].shape, request.in[0].shape);
  return visit_float(request.in[0], [&](auto zero) {
    using T = decltype(zero);
    return reference_answer(request, shape.flops(), [shape](auto in, auto out, Context&) {
      data(shape, in[0].template as<const T>(), in[1].template as<const T>(), out[0].template as<T>());
    });
  });
}

Prepared prepare_conv2d_weights(const Request& request) {
  require_count(request, 2, 1);
  const Convolution shape =
      convolution(request.attributes(), request.in[0].shape, request.out[0].shape, request.in[1].shape);
  return visit_float(request.in[0], [&](auto zero) {
    using T = decltype(zero);
    return reference_answer(request, shape.flops(), [shape](auto in, auto out, Context&) {
      weights(shape, in[0].template as<const T>(), in[1].template as<const T>(), out[0].template as<T>());
    });
  });
}

}  // namespace assay::engine::reference
