#include "engine/ops/matmul.hpp"

#include "engine/ops/compute.hpp"
#include "engine/ops/families.hpp"

namespace assay::engine {
namespace {

Types infer(const Attributes& at, std::span<const TensorType> in) {
  expect(in.size() == 2 && in[0].shape.rank() == 2 && in[1].shape.rank() == 2 && in[0].dtype == in[1].dtype, Op::matmul,
         in, "two matrices of one type");
  const auto m = in[0].shape[at.transpose_a ? 1 : 0], k = in[0].shape[at.transpose_a ? 0 : 1];
  const auto n = in[1].shape[at.transpose_b ? 0 : 1];
  if (k != in[1].shape[at.transpose_b ? 1 : 0]) {
    bad_shapes(Op::matmul, in,
               std::string("equal inner dimensions") + (at.transpose_a ? ", the first transposed" : "") +
                   (at.transpose_b ? ", the second transposed" : ""));
  }
  return {{in[0].dtype, Shape{m, n}, {}}};
}

Tensors gradient(const TapeEntry& of, std::span<const Tensor> dy, std::span<const bool> needed) {
  const Tensor &a = of.in[0], &b = of.in[1], &d = dy[0];
  const auto& at = of.operation.attributes;
  Tensors result(2);
  if (needed[0]) result[0] = at.transpose_a ? matmul(b, d, at.transpose_b, true) : matmul(d, b, false, !at.transpose_b);
  if (needed[1]) result[1] = at.transpose_b ? matmul(d, a, true, at.transpose_a) : matmul(a, d, !at.transpose_a, false);
  return result;
}

constexpr OpInfo table[] = {{Op::matmul, infer, gradient}};

}  // namespace

std::span<const OpInfo> rows::matmul() { return table; }

Tensor matmul(const Tensor& a, const Tensor& b, bool transpose_a, bool transpose_b) {
  return compute(Op::matmul, {.transpose_a = transpose_a, .transpose_b = transpose_b}, {a, b});
}

}  // namespace assay::engine
