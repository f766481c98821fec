#pragma once
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "engine/core/tensor_type.hpp"

namespace assay::engine {

/// Every operation that a kernel can be prepared for. Images are NHWC, convolution weights HWIO, dense weights in x
/// out. Shapes, gradients and free functions stand in engine/ops, one operation a file.
enum class Op : std::uint8_t {
  // linear algebra; under engine.fuse_epilogue the forward ones take a bias [n] as a third input and apply
  // attributes.relu, and those of the weights' gradient give the bias's as a second output: dy summed over its rows
  matmul,         // (a [m,k], b [k,n]) -> [m,n]; transpose_a / transpose_b read a as [k,m], b as [n,k]
  inner_product,  // (x [m,k], w [k,n]) -> [m,n]; what a dense layer lowers to under engine.prepack: w may be packed
  inner_product_data,     // (dy [m,n], w [k,n]) -> dx [m,k]
  inner_product_weights,  // (x [m,k], dy [m,n]) -> dw [k,n]; dw in the layout of w
  conv2d,                 // (x [n,h,w,c], w [kh,kw,c,o]) -> [n,h',w',o]; stride, padding
  conv2d_data,            // (dy, w) -> dx of attributes.shape
  conv2d_weights,         // (x, dy) -> dw of attributes.shape
  // layers
  add_bias,       // (x […,c], b [c]) -> x's shape
  relu,           // x -> max(x, 0)
  relu_gradient,  // (dy, y) -> dy where y > 0, else 0: the sign of the output serves, no mask is kept
  max_pool,  // x [n,h,w,c] -> (y, indices int32: flat h*w offset of the first maximum inside its image); window, stride
  max_pool_gradient,  // (dy, indices) -> dx of attributes.shape
  dropout,  // (x, key int64[2]: seed and counter) -> (y, mask uint8); attributes.scalar is the rate; kept values are
            // divided by 1 - rate
  dropout_gradient,                // (dy, mask) -> dx; attributes.scalar is the rate
  softmax,                         // x [m,n] -> rows that sum to 1
  softmax_gradient,                // (dy, y) -> dx
  softmax_cross_entropy,           // (logits [m,n], labels int32 [m]) -> (loss [m], probabilities [m,n])
  softmax_cross_entropy_gradient,  // (dloss [m], probabilities [m,n], labels) -> dlogits [m,n]
  // reductions over attributes.axes (bit i = axis i); the reduced axes disappear
  sum,
  mean,
  max,
  argmax,  // x [m,n] -> int32 [m], the first maximum of each row
  // shape
  reshape,    // to attributes.shape; never copies in a plan
  broadcast,  // inverse of a reduction: to attributes.shape, inserting attributes.axes
  // element-wise
  add,
  subtract,
  multiply,
  divide,
  maximum,  // (a, b) of one shape; or b a scalar
  equal,    // (a, b) -> float32 0 or 1 (a float64 -> float64)
  negate,
  exp,
  log,
  sqrt,
  square,
  tanh,
  scale,       // x * attributes.scalar
  add_scalar,  // x + attributes.scalar (int64 too: counters)
  cast,        // to attributes.dtype; round to nearest even; to int8, uint8 and float8 saturating
  // precision
  all_finite,  // x -> float32 scalar: 1 where no element is infinite or NaN, else 0
  quantize,  // (x, scale float32, a power of 2) -> (y, amax float32 scalar): y = float8(x * scale) / scale in x's type,
             // the float8 of attributes.dtype; amax is the largest |x|
  float8_scale,       // history [n] of amax -> float32 scalar: the largest power of 2 that keeps its largest within the
                      // float8
                      // of attributes.dtype; 1 where that is 0 or not finite
  quantize_gradient,  // (x, scale, amax) -> x; its gradient is quantize(dy, scale), and that of `amax` the amax of dy
  // updates: outputs alias the inputs named; `apply` is a float32 scalar, 0 skips the step. Under engine.fuse_update
  // each tensor may be a list of as many tensors as there are parameters, one list after the other
  sgd,   // (parameter, gradient, velocity, learning_rate, apply) -> (parameter', velocity'); momentum, nesterov
  adam,  // (parameter, gradient, m, v, learning_rate, step int64 counted from 1, apply) -> (parameter', m', v'); beta1,
         // beta2, epsilon; Keras's formula
  // layout
  reorder,  // between plain and opaque layouts of one shape
  // made by passes: several operations as one (Operation::group), a block of rows after the other
  fused_elementwise,  // element-wise operations; a row is an element
  batch_tiles,        // operations on images; a row is an image
};
constexpr std::size_t op_count = static_cast<std::size_t>(Op::batch_tiles) + 1;

/// Whether the operation is sgd or adam: element-wise on parameters and slots, in place.
constexpr bool is_update(Op op) { return op == Op::sgd || op == Op::adam; }
/// Lists of tensors that an update reads: parameters, gradients, slots. The scalars come after them.
constexpr std::size_t update_lists(Op op) { return op == Op::adam ? 4 : 3; }
constexpr std::size_t update_scalars(Op op) { return op == Op::adam ? 3 : 2; }
/// Parameters of an update with that many inputs.
constexpr std::size_t updated_parameters(Op op, std::size_t inputs) {
  return (inputs - update_scalars(op)) / update_lists(op);
}

/// "matmul", "conv2d_weights", ….
std::string_view name(Op op);

enum class Padding : std::uint8_t { valid, same };

/// What an operation needs besides its inputs: one flat record, so that comparing and hashing it is trivial.
/// An operation leaves what it does not use at its default.
struct Attributes {
  bool transpose_a = false, transpose_b = false;
  Padding padding = Padding::valid;
  std::int64_t window = 0, stride = 1;
  std::uint32_t axes = 0;
  Shape shape{};
  DType dtype = DType::float32;
  double scalar = 0;
  double momentum = 0, beta1 = 0, beta2 = 0, epsilon = 0;
  bool nesterov = false;
  bool relu = false;

  bool operator==(const Attributes&) const = default;
};

struct Group;

struct Operation {
  Op op{};
  Attributes attributes{};
  std::shared_ptr<const Group> group{};

  bool operator==(const Operation&) const = default;
};

/// How an operand of a group goes through its blocks: the rows of the block, all of it every time, or a sum over
/// blocks.
enum class Part : std::uint8_t { rows, whole, sum };

/// One operation of a group, and how its operands and results are parted.
struct Link {
  Operation operation;
  std::vector<int> in;  // from 0 on: inputs of the group; -1 - v: value v, counting what the links have made
  std::vector<TensorType> out;
  std::vector<Part> parts;  // of the results
};

/// What Op::fused_elementwise and Op::batch_tiles stand for: links in order.
struct Group {
  std::vector<Link> links;
  std::vector<Part> in;  // how each input is parted
  std::vector<int> out;  // which value each output is; the others stay in a block
};

}  // namespace assay::engine
