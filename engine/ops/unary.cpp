#include "engine/ops/unary.hpp"

#include "engine/ops/arithmetic.hpp"
#include "engine/ops/compute.hpp"
#include "engine/ops/families.hpp"

namespace assay::engine {
namespace {

Types same(const Attributes&, std::span<const TensorType> in) { return {{in[0].dtype, in[0].shape, {}}}; }

using Dy = std::span<const Tensor>;
using Needed = std::span<const bool>;

Tensors gradient_negate(const TapeEntry&, Dy dy, Needed) { return {negate(dy[0])}; }
Tensors gradient_exp(const TapeEntry& of, Dy dy, Needed) { return {dy[0] * of.out[0]}; }
Tensors gradient_log(const TapeEntry& of, Dy dy, Needed) { return {dy[0] / of.in[0]}; }
Tensors gradient_sqrt(const TapeEntry& of, Dy dy, Needed) { return {scale(dy[0] / of.out[0], 0.5)}; }
Tensors gradient_square(const TapeEntry& of, Dy dy, Needed) { return {scale(dy[0] * of.in[0], 2)}; }
Tensors gradient_tanh(const TapeEntry& of, Dy dy, Needed) { return {dy[0] * add_scalar(negate(square(of.out[0])), 1)}; }
Tensors gradient_scale(const TapeEntry& of, Dy dy, Needed) { return {scale(dy[0], of.operation.attributes.scalar)}; }
Tensors gradient_add_scalar(const TapeEntry&, Dy dy, Needed) { return {dy[0]}; }

constexpr OpInfo table[] = {
    {Op::negate, same, gradient_negate}, {Op::exp, same, gradient_exp},
    {Op::log, same, gradient_log},       {Op::sqrt, same, gradient_sqrt},
    {Op::square, same, gradient_square}, {Op::tanh, same, gradient_tanh},
    {Op::scale, same, gradient_scale},   {Op::add_scalar, same, gradient_add_scalar},
};

}  // namespace

std::span<const OpInfo> rows::unary() { return table; }

Tensor negate(const Tensor& x) { return compute(Op::negate, {}, {x}); }
Tensor exp(const Tensor& x) { return compute(Op::exp, {}, {x}); }
Tensor log(const Tensor& x) { return compute(Op::log, {}, {x}); }
Tensor sqrt(const Tensor& x) { return compute(Op::sqrt, {}, {x}); }
Tensor square(const Tensor& x) { return compute(Op::square, {}, {x}); }
Tensor tanh(const Tensor& x) { return compute(Op::tanh, {}, {x}); }
Tensor scale(const Tensor& x, double factor) { return compute(Op::scale, {.scalar = factor}, {x}); }
Tensor add_scalar(const Tensor& x, double addend) { return compute(Op::add_scalar, {.scalar = addend}, {x}); }

}  // namespace assay::engine
