#include "scenarios/kernels/operations.hpp"

#include <algorithm>
#include <array>

namespace assay::scenarios::kernels {
namespace {

using engine::Op;
using enum Family;

constexpr OperationInfo rows[]{
    {Op::matmul, product, Counted::product, 0, ""},
    {Op::inner_product, product, Counted::product, 0, ""},
    {Op::inner_product_data, product, Counted::product, 0, ""},
    {Op::inner_product_weights, product, Counted::product, 0, ""},
    {Op::conv2d, convolution, Counted::convolution, 0, ""},
    {Op::conv2d_data, convolution, Counted::convolution, 0, ""},
    {Op::conv2d_weights, convolution, Counted::convolution, 0, ""},
    {Op::add_bias, layer, Counted::out, 1, ""},
    {Op::relu, layer, Counted::out, 1, ""},
    {Op::relu_gradient, layer, Counted::out, 1, ""},
    {Op::max_pool, layer, Counted::in, 1, ""},           // every cell is compared once where windows do not overlap
    {Op::max_pool_gradient, layer, Counted::in, 1, ""},  // one addition for each dy
    {Op::dropout, layer, Counted::out, 1, ""},
    {Op::dropout_gradient, layer, Counted::out, 1, ""},
    {Op::softmax, layer, Counted::out, 5, ""},                         // maximum, subtract, exp, sum, divide
    {Op::softmax_gradient, layer, Counted::out, 4, ""},                // multiply, sum, subtract, multiply
    {Op::softmax_cross_entropy, layer, Counted::in, 5, ""},            // softmax; one log a row is not counted
    {Op::softmax_cross_entropy_gradient, layer, Counted::out, 1, ""},  // multiply; one subtraction a row is not counted
    {Op::sum, reduction, Counted::in, 1, ""},
    {Op::mean, reduction, Counted::in, 1, ""},
    {Op::max, reduction, Counted::in, 1, ""},
    {Op::argmax, reduction, Counted::in, 1, ""},
    {Op::reshape, layer, Counted::out, 0, "a plan gives the same bytes another shape: nothing runs"},
    {Op::broadcast, reduction, Counted::out, 0, ""},
    {Op::equal, elementwise, Counted::out, 1, ""},
    {Op::cast, elementwise, Counted::out, 0, ""},
    {Op::all_finite, elementwise, Counted::in, 1, "a part of loss scaling, which scenario precision times"},
    {Op::quantize, elementwise, Counted::out, 2, "float8 is emulated: its time is no speed of the format"},
    {Op::float8_scale, elementwise, Counted::in, 1, "a thousand numbers; a part of the float8 recipe"},
    {Op::quantize_gradient, elementwise, Counted::out, 0, "hands on what it gets; its gradient is quantize"},
    {Op::sgd, update, Counted::out, 4, ""},    // momentum v + rate g, subtract
    {Op::adam, update, Counted::out, 12, ""},  // 3 for m, 4 for v, 5 for the parameter
    {Op::reorder, update, Counted::out, 0, ""},
    {Op::fused_elementwise, elementwise, Counted::out, 0, "made of other operations by a pass; those have sizes"},
    {Op::batch_tiles, convolution, Counted::out, 0, "made of other operations by a pass; those have sizes"},
};

/// A row for every operation; element-wise operations of one or two operands share theirs.
constexpr std::array<OperationInfo, engine::op_count> make_table() {
  std::array<OperationInfo, engine::op_count> table{};
  for (const engine::OpRow& row : engine::op_rows)
    table[static_cast<std::size_t>(row.op)] = {row.op, elementwise, Counted::out, 1, ""};
  for (const OperationInfo& row : rows) table[static_cast<std::size_t>(row.op)] = row;
  return table;
}
constexpr auto table = make_table();

constexpr bool all_described() {
  for (const engine::OpRow& row : engine::op_rows) {
    const bool shared =
        row.category == engine::OpCategory::elementwise_unary || row.category == engine::OpCategory::elementwise_binary;
    if (!shared && std::ranges::find(rows, row.op, &OperationInfo::op) == std::end(rows)) return false;
  }
  return true;
}
static_assert(all_described(), "an operation that is not element-wise has no row");

constexpr std::array<std::string_view, family_count> names{"product",   "convolution", "layer",
                                                           "reduction", "elementwise", "update"};

}  // namespace

std::string_view name(Family family) { return names[static_cast<std::size_t>(family)]; }
std::span<const OperationInfo> operations() { return table; }
const OperationInfo& operation_info(Op op) { return table[static_cast<std::size_t>(op)]; }

}  // namespace assay::scenarios::kernels
