#include <cstring>

#include "engine/core/convert.hpp"
#include "engine/kernels/axes.hpp"
#include "engine/kernels/reference/families.hpp"

namespace assay::engine::reference {

Prepared prepare_copy(const Request& request) {
  require_count(request, 1, 1);
  const TensorType& from = request.in[0];
  const TensorType& to = request.out[0];
  if (from.shape.elements() != to.shape.elements() || from.dtype != to.dtype) {
    throw Unsupported("cannot read " + to_string(from.shape) + " " + std::string(name(from.dtype)) + " as " +
                      to_string(to.shape) + " " + std::string(name(to.dtype)));
  }
  return reference_answer(request, 0, [bytes = from.bytes()](auto in, auto out, Context&) {
    if (in[0].data != out[0].data) std::memcpy(out[0].data, in[0].data, bytes);
  });
}

Prepared prepare_broadcast(const Request& request) {
  require_count(request, 1, 1);
  const Shape& full = request.out[0].shape;
  const std::uint32_t axes = request.attributes().axes;
  require_shape("broadcast input", without_axes(full, axes), request.in[0].shape);
  return visit_dtype(request.in[0].dtype, [&](auto zero) {
    using T = decltype(zero);
    return reference_answer(request, 0, [offsets = split_offsets(full, axes)](auto in, auto out, Context&) {
      const T* x = in[0].template as<const T>();
      T* y = out[0].template as<T>();
      for (std::size_t i = 0; i < offsets.kept.size(); ++i) {
        for (const std::int64_t offset : offsets.reduced) y[offsets.kept[i] + offset] = x[i];
      }
    });
  });
}

}  // namespace assay::engine::reference
