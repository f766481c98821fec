#include <oneapi/dnnl/dnnl.hpp>

#include "engine/kernels/onednn/families.hpp"

namespace assay::engine {
namespace {

constexpr PrepareTable make_table() {
  using namespace onednn;
  PrepareTable table{};
  const auto set = [&](Op op, PrepareFunction function) { table[static_cast<std::size_t>(op)] = function; };
  set(Op::matmul, prepare_matmul);
  set(Op::inner_product, prepare_inner_product);
  set(Op::inner_product_data, prepare_inner_product_data);
  set(Op::inner_product_weights, prepare_inner_product_weights);
  set(Op::conv2d, prepare_conv2d);
  set(Op::conv2d_data, prepare_conv2d_data);
  set(Op::conv2d_weights, prepare_conv2d_weights);
  set(Op::reorder, prepare_reorder);
  set(Op::cast, prepare_cast);
  return table;
}

constexpr PrepareTable table = make_table();

class OnednnBackend final : public Backend {
 public:
  std::string_view name() const override { return "onednn"; }
  Prepared prepare(const Operation& operation, std::span<const TensorType> in, std::span<const TensorType> out,
                   const Target& target) const override {
    try {
      return prepare_from(table, name(), {operation, in, out, target});
    } catch (const dnnl::error& error) {
      throw Unsupported("onednn: " + std::string(assay::engine::name(operation.op)) + ": " + error.what());
    }
  }
};

}  // namespace

const Backend& onednn_backend() {
  static const OnednnBackend backend;
  return backend;
}

}  // namespace assay::engine
