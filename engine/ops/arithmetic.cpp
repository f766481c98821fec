#include "engine/ops/arithmetic.hpp"

#include "engine/ops/compute.hpp"
#include "engine/ops/families.hpp"
#include "engine/ops/precision.hpp"
#include "engine/ops/reduction.hpp"
#include "engine/ops/unary.hpp"

namespace assay::engine {
namespace {

template <Op op>
Types infer(const Attributes&, std::span<const TensorType> in) {
  expect(in.size() == 2 && in[0].dtype == in[1].dtype && (in[0].shape == in[1].shape || in[1].shape.rank() == 0), op,
         in, "two tensors of one type and shape, or the second a scalar");
  const DType result = op == Op::equal && in[0].dtype != DType::float64 ? DType::float32 : in[0].dtype;
  return {{result, in[0].shape, {}}};
}

/// A scalar second operand gets the sum of what its copies would get.
Tensor for_second(const TapeEntry& of, const Tensor& d) { return of.in[1].shape() == of.in[0].shape() ? d : sum(d); }

Tensors gradient_add(const TapeEntry& of, std::span<const Tensor> dy, std::span<const bool> needed) {
  return {dy[0], needed[1] ? for_second(of, dy[0]) : Tensor{}};
}
Tensors gradient_subtract(const TapeEntry& of, std::span<const Tensor> dy, std::span<const bool> needed) {
  return {dy[0], needed[1] ? for_second(of, negate(dy[0])) : Tensor{}};
}
Tensors gradient_multiply(const TapeEntry& of, std::span<const Tensor> dy, std::span<const bool> needed) {
  return {needed[0] ? dy[0] * of.in[1] : Tensor{}, needed[1] ? for_second(of, dy[0] * of.in[0]) : Tensor{}};
}
Tensors gradient_divide(const TapeEntry& of, std::span<const Tensor> dy, std::span<const bool> needed) {
  return {needed[0] ? dy[0] / of.in[1] : Tensor{},
          needed[1] ? for_second(of, negate(dy[0] * of.out[0] / of.in[1])) : Tensor{}};
}
/// At a tie the first operand gets it all, and a NaN gets it from a number.
Tensors gradient_maximum(const TapeEntry& of, std::span<const Tensor> dy, std::span<const bool> needed) {
  const Tensor first = equal(of.out[0], of.in[0]) + is_nan(of.in[0]);
  return {needed[0] ? dy[0] * first : Tensor{},
          needed[1] ? for_second(of, dy[0] * add_scalar(negate(first), 1)) : Tensor{}};
}

constexpr OpInfo table[] = {{Op::add, infer<Op::add>, gradient_add},
                            {Op::subtract, infer<Op::subtract>, gradient_subtract},
                            {Op::multiply, infer<Op::multiply>, gradient_multiply},
                            {Op::divide, infer<Op::divide>, gradient_divide},
                            {Op::maximum, infer<Op::maximum>, gradient_maximum},
                            {Op::equal, infer<Op::equal>, nullptr}};

}  // namespace

std::span<const OpInfo> rows::arithmetic() { return table; }

Tensor operator+(const Tensor& a, const Tensor& b) { return compute(Op::add, {}, {a, b}); }
Tensor operator-(const Tensor& a, const Tensor& b) { return compute(Op::subtract, {}, {a, b}); }
Tensor operator*(const Tensor& a, const Tensor& b) { return compute(Op::multiply, {}, {a, b}); }
Tensor operator/(const Tensor& a, const Tensor& b) { return compute(Op::divide, {}, {a, b}); }
Tensor maximum(const Tensor& a, const Tensor& b) { return compute(Op::maximum, {}, {a, b}); }
Tensor equal(const Tensor& a, const Tensor& b) { return compute(Op::equal, {}, {a, b}); }
Tensor is_nan(const Tensor& x) { return one_minus(equal(x, x)); }

}  // namespace assay::engine
