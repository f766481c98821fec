#include "engine/kernels/operation.hpp"

#include <array>

namespace assay::engine {
namespace {

// In the order of the enumeration.
constexpr std::array<std::string_view, op_count> names{
    "matmul",
    "inner_product",
    "inner_product_data",
    "inner_product_weights",
    "conv2d",
    "conv2d_data",
    "conv2d_weights",
    "add_bias",
    "relu",
    "relu_gradient",
    "max_pool",
    "max_pool_gradient",
    "dropout",
    "dropout_gradient",
    "softmax",
    "softmax_gradient",
    "softmax_cross_entropy",
    "softmax_cross_entropy_gradient",
    "sum",
    "mean",
    "max",
    "argmax",
    "reshape",
    "broadcast",
    "add",
    "subtract",
    "multiply",
    "divide",
    "maximum",
    "equal",
    "negate",
    "exp",
    "log",
    "sqrt",
    "square",
    "tanh",
    "scale",
    "add_scalar",
    "cast",
    "all_finite",
    "quantize",
    "float8_scale",
    "quantize_gradient",
    "sgd",
    "adam",
    "reorder",
    "fused_elementwise",
    "batch_tiles",
};
static_assert(!names.back().empty(), "one name an operation");

}  // namespace

std::string_view name(Op op) { return names[static_cast<std::size_t>(op)]; }

}  // namespace assay::engine
