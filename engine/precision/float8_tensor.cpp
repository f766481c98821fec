#include "engine/precision/float8_tensor.hpp"

#include <numeric>

#include "engine/ops/arithmetic.hpp"
#include "engine/ops/precision.hpp"
#include "engine/ops/unary.hpp"

namespace assay::engine {
namespace {

Tensor count_up(std::int64_t n) {
  Tensor places = Tensor::zeros(Shape{n});
  std::iota(places.as<float>().begin(), places.as<float>().end(), 0.0F);
  return places;
}

}  // namespace

Float8Tensor::Float8Tensor(const std::string& name, DType format, std::int64_t history)
    : format_(format),
      length_(history),
      history_(name + "/amax_history", Tensor::zeros(Shape{history})),
      position_(name + "/amax_position", Tensor::scalar(0.0F)),
      amax_(name + "/amax", Tensor::scalar(0.0F)),
      places_(count_up(history)) {}

Tensor Float8Tensor::scale() const { return float8_scale(history_.value(), format_); }

Tensor Float8Tensor::quantized(const Tensor& x, bool observing) const {
  const Quantized q = quantize(x, scale(), format_);
  if (observing) observe(q.amax);
  return q.y;
}

Tensor Float8Tensor::gradient_quantized(const Tensor& x) const {
  return quantize_gradient(x, scale(), amax_.value(), format_);
}

void Float8Tensor::observe(const Tensor& amax) const {
  const Tensor here = equal(places_, position_.value());
  history_.assign(history_.value() * one_minus(here) + here * amax);
  const Tensor next = add_scalar(position_.value(), 1);
  position_.assign(next * one_minus(equal(next, Tensor::scalar(static_cast<float>(length_)))));
}

}  // namespace assay::engine
