#include <array>
#include <stdexcept>

#include "engine/ops/families.hpp"

namespace assay::engine {
namespace {

using Table = std::array<OpInfo, op_count>;

Table make_table() {
  Table table{};
  for (const auto family :
       {rows::matmul(), rows::inner_product(), rows::convolution(), rows::bias(), rows::relu(), rows::pooling(),
        rows::dropout(), rows::softmax(), rows::cross_entropy(), rows::reduction(), rows::shape(), rows::arithmetic(),
        rows::unary(), rows::cast(), rows::precision(), rows::update(), rows::fused()}) {
    for (const OpInfo& row : family) table[static_cast<std::size_t>(row.op)] = row;
  }
  for (std::size_t i = 0; i < op_count; ++i) {
    if (table[i].infer == nullptr)
      throw std::logic_error("operation " + std::string(name(static_cast<Op>(i))) + " has no row");
  }
  return table;
}

}  // namespace

const OpInfo& op_info(Op op) {
  static const Table table = make_table();
  return table[static_cast<std::size_t>(op)];
}

}  // namespace assay::engine
