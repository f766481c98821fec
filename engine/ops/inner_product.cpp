// What dense layers lower to under engine.prepack, and the change of layout that goes with it. Passes make these nodes
// after differentiation; nobody writes them by hand, so they have neither gradients nor free functions.
#include "engine/ops/families.hpp"

namespace assay::engine {
namespace {

Types infer_product(const Attributes&, std::span<const TensorType> in) {
  expect(in.size() == 2 && in[0].shape[1] == in[1].shape[0], Op::inner_product, in, "x [m,k] and w [k,n]");
  return {{in[0].dtype, Shape{in[0].shape[0], in[1].shape[1]}, {}}};
}
Types infer_data(const Attributes&, std::span<const TensorType> in) {
  expect(in.size() == 2 && in[0].shape[1] == in[1].shape[1], Op::inner_product_data, in, "dy [m,n] and w [k,n]");
  return {{in[0].dtype, Shape{in[0].shape[0], in[1].shape[0]}, {}}};
}
Types infer_weights(const Attributes&, std::span<const TensorType> in) {
  expect(in.size() == 2 && in[0].shape[0] == in[1].shape[0], Op::inner_product_weights, in, "x [m,k] and dy [m,n]");
  return {{in[0].dtype, Shape{in[0].shape[1], in[1].shape[1]}, {}}};
}
Types infer_reorder(const Attributes&, std::span<const TensorType> in) {
  expect(in.size() == 1, Op::reorder, in, "one tensor");
  return {in[0]};
}

constexpr OpInfo table[] = {{Op::inner_product, infer_product},
                            {Op::inner_product_data, infer_data},
                            {Op::inner_product_weights, infer_weights},
                            {Op::reorder, infer_reorder}};

}  // namespace

std::span<const OpInfo> rows::inner_product() { return table; }

}  // namespace assay::engine
