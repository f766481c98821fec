#include "engine/ops/precision.hpp"

#include "engine/ops/compute.hpp"
#include "engine/ops/families.hpp"
#include "engine/ops/unary.hpp"

namespace assay::engine {
namespace {

const TensorType scalar{DType::float32, Shape{}, {}};

Types infer_all_finite(const Attributes&, std::span<const TensorType> in) {
  expect(in.size() == 1 && is_floating_point(in[0].dtype), Op::all_finite, in, "one floating tensor");
  return {scalar};
}

Types infer_quantize(const Attributes&, std::span<const TensorType> in) {
  expect(in.size() == 2 && is_floating_point(in[0].dtype) && in[1] == scalar, Op::quantize, in,
         "a floating tensor and a float32 scale");
  return {in[0], scalar};
}
Tensors gradient_quantize(const TapeEntry&, std::span<const Tensor> dy, std::span<const bool>) {
  return {dy[0], Tensor{}};
}

Types infer_float8_scale(const Attributes&, std::span<const TensorType> in) {
  expect(in.size() == 1 && in[0].dtype == DType::float32 && in[0].shape.rank() == 1, Op::float8_scale, in,
         "a float32 vector");
  return {scalar};
}

Types infer_quantize_gradient(const Attributes&, std::span<const TensorType> in) {
  expect(in.size() == 3 && is_floating_point(in[0].dtype) && in[1] == scalar && in[2] == scalar, Op::quantize_gradient,
         in, "a floating tensor, a float32 scale and a float32 amax");
  return {in[0]};
}
Tensors gradient_quantize_gradient(const TapeEntry& of, std::span<const Tensor> dy, std::span<const bool>) {
  const Quantized q = quantize(dy[0], of.in[1], of.operation.attributes.dtype);
  return {q.y, Tensor{}, q.amax};
}

constexpr OpInfo table[] = {{Op::all_finite, infer_all_finite},
                            {Op::quantize, infer_quantize, gradient_quantize},
                            {Op::float8_scale, infer_float8_scale},
                            {Op::quantize_gradient, infer_quantize_gradient, gradient_quantize_gradient}};

}  // namespace

std::span<const OpInfo> rows::precision() { return table; }

Tensor one_minus(const Tensor& x) { return add_scalar(negate(x), 1); }

Tensor all_finite(const Tensor& x) { return compute(Op::all_finite, {}, {x}); }

Quantized quantize(const Tensor& x, const Tensor& scale, DType format) {
  const Tensor in[] = {x, scale};
  const Tensors out = compute({Op::quantize, {.dtype = format}}, in);
  return {out[0], out[1]};
}

Tensor float8_scale(const Tensor& history, DType format) {
  return compute(Op::float8_scale, {.dtype = format}, {history});
}

Tensor quantize_gradient(const Tensor& x, const Tensor& scale, const Tensor& amax, DType format) {
  return compute(Op::quantize_gradient, {.dtype = format}, {x, scale, amax});
}

}  // namespace assay::engine
