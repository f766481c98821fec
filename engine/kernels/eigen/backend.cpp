#include "engine/kernels/eigen/families.hpp"

namespace assay::engine {
namespace {

constexpr PrepareTable make_table() {
  using namespace eigen;
  PrepareTable table{};
  const auto set = [&](Op op, PrepareFunction function) { table[static_cast<std::size_t>(op)] = function; };
  for (const OpRow& row : op_rows) {
    if (row.category == OpCategory::product) set(row.op, prepare_product);
    if (row.category == OpCategory::elementwise_unary) set(row.op, prepare_unary);
    if (row.category == OpCategory::elementwise_binary) set(row.op, prepare_binary);
  }
  set(Op::conv2d, prepare_conv2d);
  set(Op::conv2d_data, prepare_conv2d_data);
  set(Op::conv2d_weights, prepare_conv2d_weights);
  set(Op::add_bias, prepare_add_bias);
  set(Op::relu, prepare_unary);
  set(Op::relu_gradient, prepare_relu_gradient);
  set(Op::max_pool, prepare_max_pool);
  set(Op::max_pool_gradient, prepare_max_pool_gradient);
  set(Op::dropout, prepare_dropout);
  set(Op::dropout_gradient, prepare_dropout_gradient);
  set(Op::softmax, prepare_softmax);
  set(Op::softmax_gradient, prepare_softmax_gradient);
  set(Op::softmax_cross_entropy, prepare_softmax_cross_entropy);
  set(Op::softmax_cross_entropy_gradient, prepare_softmax_cross_entropy_gradient);
  for (const Op op : {Op::sum, Op::mean, Op::max}) set(op, prepare_reduction);
  set(Op::argmax, prepare_argmax);
  set(Op::reshape, prepare_reshape);
  set(Op::broadcast, prepare_broadcast);
  set(Op::equal, prepare_equal);
  set(Op::cast, prepare_cast);
  set(Op::all_finite, prepare_all_finite);
  set(Op::quantize, prepare_quantize);
  set(Op::float8_scale, prepare_float8_scale);
  set(Op::quantize_gradient, prepare_identity);
  set(Op::sgd, prepare_sgd);
  set(Op::adam, prepare_adam);
  return table;
}

constexpr PrepareTable table = make_table();

class EigenBackend final : public Backend {
 public:
  std::string_view name() const override { return "eigen"; }
  Prepared prepare(const Operation& operation, std::span<const TensorType> in, std::span<const TensorType> out,
                   const Target& target) const override {
    return prepare_from(table, name(), {operation, in, out, target});
  }
};

}  // namespace

const Backend& eigen_backend() {
  static const EigenBackend backend;
  return backend;
}

}  // namespace assay::engine
