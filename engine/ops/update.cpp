#include "engine/ops/update.hpp"

#include "engine/ops/compute.hpp"
#include "engine/ops/families.hpp"
#include "engine/ops/unary.hpp"

namespace assay::engine {
namespace {

bool all_like_first(std::span<const TensorType> in, std::size_t count) {
  for (std::size_t i = 1; i < count; ++i) {
    if (in[i].dtype != in[0].dtype || in[i].shape != in[0].shape) return false;
  }
  return true;
}

Types infer_sgd(const Attributes&, std::span<const TensorType> in) {
  expect(in.size() == 5 && all_like_first(in, 3), Op::sgd, in,
         "a gradient and a velocity like the parameter, a rate and a switch");
  return {in[0], in[2]};
}

Types infer_adam(const Attributes&, std::span<const TensorType> in) {
  expect(in.size() == 7 && all_like_first(in, 4), Op::adam, in,
         "a gradient and two moments like the parameter, a rate, a step and a switch");
  return {in[0], in[2], in[3]};
}

constexpr OpInfo table[] = {{Op::sgd, infer_sgd}, {Op::adam, infer_adam}};

}  // namespace

std::span<const OpInfo> rows::update() { return table; }

namespace {

// A parameter of a type below float32 is updated in float32 and rounded once, and its slots are float32 (the optimizer
// makes them so): in 16 bits a second moment of 1e-8 or an epsilon of 1e-7 would be 0, and the step infinite.
Tensor widened(const Tensor& value) { return is_narrow(value.dtype()) ? cast(value, DType::float32) : value; }
void assign_rounded(const Variable& parameter, const Tensor& value) {
  parameter.assign(cast(value, parameter.type().dtype));
}

}  // namespace

void sgd(const Variable& parameter, const Tensor& gradient, const Variable& velocity, const Tensor& learning_rate,
         const Tensor& switched, const SgdSettings& settings) {
  const Tensor in[] = {widened(parameter.value()), widened(gradient), velocity.value(), learning_rate, switched};
  const auto out = compute({Op::sgd, {.momentum = settings.momentum, .nesterov = settings.nesterov}}, in);
  assign_rounded(parameter, out[0]);
  velocity.assign(out[1]);
}

void adam(const Variable& parameter, const Tensor& gradient, const Variable& m, const Variable& v,
          const Tensor& learning_rate, const Tensor& step, const Tensor& switched, const AdamSettings& settings) {
  const Tensor in[] = {
      widened(parameter.value()), widened(gradient), m.value(), v.value(), learning_rate, step, switched};
  const auto out =
      compute({Op::adam, {.beta1 = settings.beta1, .beta2 = settings.beta2, .epsilon = settings.epsilon}}, in);
  assign_rounded(parameter, out[0]);
  m.assign(out[1]);
  v.assign(out[2]);
}

}  // namespace assay::engine
