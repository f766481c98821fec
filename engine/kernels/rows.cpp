#include "engine/kernels/rows.hpp"

namespace assay::engine {

Rows rows_of(const Shape& shape) {
  if (shape.rank() == 0 || shape[-1] == 0)
    throw Unsupported("expected rows of at least one element, found " + to_string(shape));
  return {shape.elements() / shape[-1], shape[-1]};
}

Rows cross_entropy_rows(const Request& request) {
  const bool gradient = request.operation.op == Op::softmax_cross_entropy_gradient;
  require_count(request, gradient ? 3 : 2, gradient ? 1 : 2);
  const TensorType& scores = request.in[gradient ? 1 : 0];
  const TensorType& labels = request.in[gradient ? 2 : 1];
  const TensorType& losses = gradient ? request.in[0] : request.out[0];
  const TensorType& result = request.out[gradient ? 0 : 1];
  if (scores.shape.rank() != 2) throw Unsupported("expected a matrix of scores, found " + to_string(scores.shape));
  if (labels.dtype != DType::int32) throw Unsupported("labels must be int32, found " + std::string(name(labels.dtype)));
  require_shape("labels", Shape{scores.shape[0]}, labels.shape);
  require_shape("losses", Shape{scores.shape[0]}, losses.shape);
  require_shape("result", scores.shape, result.shape);
  return rows_of(scores.shape);
}

}  // namespace assay::engine
