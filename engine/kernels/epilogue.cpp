#include "engine/kernels/epilogue.hpp"

namespace assay::engine {

Epilogue epilogue(const Request& request) {
  const bool bias = request.in.size() > 2;
  require_count(request, bias ? 3 : 2, 1);
  if (bias) {
    require_shape("bias", Shape{request.out[0].shape[-1]}, request.in[2].shape);
    if (request.in[2].dtype != request.out[0].dtype) throw Unsupported("the bias must have the result's dtype");
  }
  return {bias, request.attributes().relu};
}

}  // namespace assay::engine
