#include <algorithm>

#include "engine/kernels/eigen/families.hpp"
#include "engine/kernels/eigen/gemm.hpp"
#include "engine/kernels/eigen/patches.hpp"
#include "engine/kernels/epilogue.hpp"

// Convolutions as matrix products over patches (im2col), a chunk of result pixels at a time.
namespace assay::engine::eigen {
namespace {

std::size_t whole_lines(std::int64_t elements, std::size_t element_bytes) {
  return (static_cast<std::size_t>(elements) * element_bytes + 63) / 64 * 64;
}

/// What each thread has of the workspace: packing buffers, the patches of a chunk, and a partial result.
struct Places {
  std::size_t packing = 0, patches = 0, partial = 0;

  std::size_t bytes() const { return packing + patches + partial; }
};

template <class T>
struct Place {
  std::byte* packing;
  T* patches;
  T* partial;
};

template <class T>
Place<T> place_of(const Places& places, const Context& context, int part) {
  std::byte* start = context.workspace + places.bytes() * static_cast<std::size_t>(part);
  return {start, reinterpret_cast<T*>(start + places.packing),
          reinterpret_cast<T*>(start + places.packing + places.patches)};
}

/// fn(chunk) over [range.begin, range.end) in chunks.
template <class Fn>
void each_chunk(Range range, std::int64_t chunk, Fn&& fn) {
  for (std::int64_t first = range.begin; first < range.end; first += chunk) {
    fn(Range{first, std::min(range.end, first + chunk)});
  }
}

int threads_of(const Request& request, const Convolution& s, std::int64_t most) {
  return static_cast<int>(
      std::min<std::int64_t>(threads_for(s.flops(), request.target.threads), std::max<std::int64_t>(1, most)));
}

template <class T>
Prepared forward(const Request& request, const Convolution& s, const Epilogue& finish) {
  const int threads = threads_of(request, s, s.n * s.pixels());
  const std::int64_t chunk = pixels_a_chunk(s, sizeof(T));
  const Gemm<T> gemm({chunk, s.o, s.patch(), false, false});
  const Places places{gemm.workspace(), whole_lines(chunk * s.patch(), sizeof(T)), 0};
  return answer(request, "eigen", s.flops(), threads, places.bytes() * static_cast<std::size_t>(threads),
                [=](std::span<const View> in, std::span<const View> out, Context& context) {
                  parallel_parts(threads, [&](int part) {
                    const Place<T> place = place_of<T>(places, context, part);
                    each_chunk(range_of(s.n * s.pixels(), part, threads, 16), chunk, [&](Range pixels) {
                      const std::int64_t count = pixels.end - pixels.begin;
                      gather_patches(s, pixels, in[0].as<const T>(), place.patches);
                      T* y = out[0].as<T>() + pixels.begin * s.o;
                      std::fill_n(y, count * s.o, T{0});
                      gemm.add(count, s.o, s.patch(), {place.patches, s.patch()}, {in[1].as<const T>(), s.o}, y, s.o,
                               place.packing);
                      finish.apply(in, y, count, s.o, s.o);
                    });
                  });
                });
}

template <class T>
Prepared data(const Request& request, const Convolution& s) {
  const int threads = threads_of(request, s, s.n);  // whole images, since patches of one overlap
  const std::int64_t chunk = pixels_a_chunk(s, sizeof(T));
  const Gemm<T> gemm({chunk, s.patch(), s.o, false, true});
  const Places places{gemm.workspace(), whole_lines(chunk * s.patch(), sizeof(T)), 0};
  return answer(request, "eigen", s.flops(), threads, places.bytes() * static_cast<std::size_t>(threads),
                [=](std::span<const View> in, std::span<const View> out, Context& context) {
                  parallel_parts(threads, [&](int part) {
                    const Place<T> place = place_of<T>(places, context, part);
                    const Range images = range_of(s.n, part, threads);
                    T* dx = out[0].as<T>();
                    std::fill(dx + images.begin * s.image(), dx + images.end * s.image(), T{0});
                    each_chunk({images.begin * s.pixels(), images.end * s.pixels()}, chunk, [&](Range pixels) {
                      const std::int64_t count = pixels.end - pixels.begin;
                      std::fill_n(place.patches, count * s.patch(), T{0});
                      gemm.add(count, s.patch(), s.o, {in[0].as<const T>() + pixels.begin * s.o, s.o},
                               {in[1].as<const T>(), s.o}, place.patches, s.patch(), place.packing);
                      scatter_patches(s, pixels, place.patches, dx);
                    });
                  });
                });
}

template <class T>
Prepared weights(const Request& request, const Convolution& s) {
  const int threads = threads_of(request, s, s.n * s.pixels());
  const std::int64_t chunk = pixels_a_chunk(s, sizeof(T));
  const std::int64_t size = s.patch() * s.o;
  const Gemm<T> gemm({s.patch(), s.o, chunk, true, false});
  const Places places{gemm.workspace(), whole_lines(chunk * s.patch(), sizeof(T)), whole_lines(size, sizeof(T))};
  return answer(request, "eigen", s.flops(), threads, places.bytes() * static_cast<std::size_t>(threads),
                [=](std::span<const View> in, std::span<const View> out, Context& context) {
                  parallel_parts(threads, [&](int part) {
                    const Place<T> place = place_of<T>(places, context, part);
                    std::fill_n(place.partial, size, T{0});
                    each_chunk(range_of(s.n * s.pixels(), part, threads, 16), chunk, [&](Range pixels) {
                      gather_patches(s, pixels, in[0].as<const T>(), place.patches);
                      gemm.add(s.patch(), s.o, pixels.end - pixels.begin, {place.patches, s.patch()},
                               {in[1].as<const T>() + pixels.begin * s.o, s.o}, place.partial, s.o, place.packing);
                    });
                  });
                  // In the order of the parts, so that the sum does not depend on who was first.
                  T* dw = out[0].as<T>();
                  std::copy_n(place_of<T>(places, context, 0).partial, size, dw);
                  for (int part = 1; part < threads; ++part) {
                    const T* partial = place_of<T>(places, context, part).partial;
#pragma GCC ivdep
                    for (std::int64_t i = 0; i < size; ++i) dw[i] += partial[i];
                  }
                });
}

}  // namespace

Prepared prepare_conv2d(const Request& request) {
  const Epilogue finish = epilogue(request);
  const Convolution s =
      convolution(request.attributes(), request.in[0].shape, request.in[1].shape, request.out[0].shape);
  return visit_float(request.in[0], [&](auto zero) { return forward<decltype(zero)>(request, s, finish); });
}

Prepared prepare_conv2d_data(const Request& request) {
  require_count(request, 2, 1);
  const Convolution s =
      convolution(request.attributes(), request.out[0].shape, request.in[1].shape, request.in[0].shape);
  return visit_float(request.in[0], [&](auto zero) { return data<decltype(zero)>(request, s); });
}

Prepared prepare_conv2d_weights(const Request& request) {
  require_count(request, 2, 1);
  const Convolution s =
      convolution(request.attributes(), request.in[0].shape, request.out[0].shape, request.in[1].shape);
  return visit_float(request.in[0], [&](auto zero) { return weights<decltype(zero)>(request, s); });
}

}  // namespace assay::engine::eigen
