// What 16-bit tensors need no arithmetic for: sign and size show in the bits, so these run on the values as they are
// stored.
#include "engine/core/convert.hpp"
#include "engine/kernels/eigen/families.hpp"

namespace assay::engine::eigen {
namespace {

/// Bits of the infinity: what lies above, sign apart, is NaN.
template <class T>
constexpr std::uint16_t infinity = std::is_same_v<T, BFloat16> ? 0x7f80 : 0x7c00;

/// Calls visit(T{}) with BFloat16 or Float16; throws Unsupported for other types.
template <class Visit>
Prepared visit_half(const TensorType& type, Visit&& visit) {
  if (type.dtype == DType::bfloat16) return visit(BFloat16{});
  if (type.dtype == DType::float16) return visit(Float16{});
  throw Unsupported("no kernel for " + std::string(name(type.dtype)));
}

}  // namespace

Prepared prepare_relu_16(const Request& request) {
  return visit_half(request.in[0], [&](auto zero) {
    using T = decltype(zero);
    return loop_answer(request, request.in[0].shape.elements(), cost_of_move,
                       [](std::span<const View> in, std::span<const View> out, std::int64_t begin, std::int64_t end) {
                         const auto* x = in[0].as<const std::uint16_t>();
                         auto* y = out[0].as<std::uint16_t>();
#pragma GCC ivdep
                         for (std::int64_t i = begin; i < end; ++i) {
                           const bool below_zero = x[i] > 0x8000 && x[i] <= (0x8000 | infinity<T>);
                           y[i] = below_zero ? std::uint16_t{0} : x[i];
                         }
                       });
  });
}

Prepared prepare_relu_gradient_16(const Request& request) {
  if (request.in[1].dtype != request.in[0].dtype) throw Unsupported("two types");
  return visit_half(request.in[0], [&](auto zero) {
    using T = decltype(zero);
    return loop_answer(request, request.in[0].shape.elements(), cost_of_move,
                       [](std::span<const View> in, std::span<const View> out, std::int64_t begin, std::int64_t end) {
                         const auto* dy = in[0].as<const std::uint16_t>();
                         const auto* y = in[1].as<const std::uint16_t>();
                         auto* dx = out[0].as<std::uint16_t>();
#pragma GCC ivdep
                         for (std::int64_t i = begin; i < end; ++i) {
                           const bool off = y[i] == 0 || (y[i] >= 0x8000 && y[i] <= (0x8000 | infinity<T>));
                           dx[i] = off ? std::uint16_t{0} : dy[i];
                         }
                       });
  });
}

}  // namespace assay::engine::eigen
