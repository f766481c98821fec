#include "scenarios/kernels/operations.hpp"

#include <array>

namespace assay::scenarios::kernels {
namespace {

using engine::Op;
using enum Family;

constexpr std::array<OperationInfo, engine::op_count> table{{
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
    {Op::add, elementwise, Counted::out, 1, ""},
    {Op::subtract, elementwise, Counted::out, 1, ""},
    {Op::multiply, elementwise, Counted::out, 1, ""},
    {Op::divide, elementwise, Counted::out, 1, ""},
    {Op::maximum, elementwise, Counted::out, 1, ""},
    {Op::equal, elementwise, Counted::out, 1, ""},
    {Op::negate, elementwise, Counted::out, 1, ""},
    {Op::exp, elementwise, Counted::out, 1, ""},
    {Op::log, elementwise, Counted::out, 1, ""},
    {Op::sqrt, elementwise, Counted::out, 1, ""},
    {Op::square, elementwise, Counted::out, 1, ""},
    {Op::tanh, elementwise, Counted::out, 1, ""},
    {Op::scale, elementwise, Counted::out, 1, ""},
    {Op::add_scalar, elementwise, Counted::out, 1, ""},
    {Op::cast, elementwise, Counted::out, 0, ""},
    {Op::all_finite, elementwise, Counted::in, 1, "a part of loss scaling, which scenario precision times"},
    {Op::quantize, elementwise, Counted::out, 2, "float8 is emulated: its time is no speed of the format"},
    {Op::float8_scale, elementwise, Counted::in, 1, "a thousand numbers; a part of the float8 recipe"},
    {Op::quantize_gradient, elementwise, Counted::out, 0, "hands on what it gets; its gradient is quantize"},
    {Op::sgd, update, Counted::out, 4, ""},    // momentum v + rate g, subtract
    {Op::adam, update, Counted::out, 12, ""},  // 3 for m, 4 for v, 5 for the parameter
    {Op::reorder, update, Counted::out, 0, ""},
    {Op::fused_elementwise, elementwise, Counted::out, 0,
     "made of the operations above by a pass; its links are what has a size"},
    {Op::batch_tiles, convolution, Counted::out, 0,
     "made of the operations above by a pass; its links are what has a size"},
}};

constexpr bool in_order() {
  for (std::size_t i = 0; i < table.size(); ++i)
    if (static_cast<std::size_t>(table[i].op) != i) return false;
  return true;
}
static_assert(in_order(), "the table is indexed by the enumeration");

constexpr std::array<std::string_view, family_count> names{"product",   "convolution", "layer",
                                                           "reduction", "elementwise", "update"};

}  // namespace

std::string_view name(Family family) { return names[static_cast<std::size_t>(family)]; }
std::span<const OperationInfo> operations() { return table; }
const OperationInfo& operation_info(Op op) { return table[static_cast<std::size_t>(op)]; }

}  // namespace assay::scenarios::kernels
