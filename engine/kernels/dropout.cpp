#include "engine/kernels/dropout.hpp"

namespace assay::engine {

double dropout_rate(const Request& request) {
  const bool gradient = request.operation.op == Op::dropout_gradient;
  require_count(request, 2, gradient ? 1 : 2);
  const double rate = request.attributes().scalar;
  if (!(rate >= 0 && rate < 1)) throw Unsupported("expected a rate in [0, 1), found " + std::to_string(rate));
  const TensorType& mask = gradient ? request.in[1] : request.out[1];
  if (mask.dtype != DType::uint8) throw Unsupported("the mask must be uint8, found " + std::string(name(mask.dtype)));
  require_shape("mask", request.in[0].shape, mask.shape);
  if (!gradient && (request.in[1].dtype != DType::int64 || request.in[1].shape.elements() != 2)) {
    throw Unsupported("the key must be 2 int64 (seed and counter), found " + to_string(request.in[1].shape) + " " +
                      std::string(name(request.in[1].dtype)));
  }
  return rate;
}

}  // namespace assay::engine
