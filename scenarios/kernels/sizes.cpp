#include "scenarios/kernels/sizes.hpp"

#include <algorithm>
#include <cmath>

namespace assay::scenarios::kernels {
namespace {

using engine::DType;
using engine::Op;
using engine::OpCategory;
using engine::Shape;
using engine::Types;

/// Builds the table; each function is one family's rows.
class Table {
 public:
  std::vector<Size> all() {
    products();
    convolutions();
    layers();
    reductions();
    elementwise();
    updates();
    return std::move(sizes_);
  }

 private:
  void add(Op op, std::string label, engine::Attributes attributes, std::vector<Input> in, bool packed = false) {
    sizes_.push_back({op, std::move(label), attributes, std::move(in), packed});
  }
  static std::string times(std::initializer_list<std::int64_t> dims) { return to_string(Shape(dims)); }

  void products() {
    struct Layer {
      std::int64_t in, out;
      bool first;  // nothing needs the gradient of its input
    };
    // MLP 784-128-64-10; the dense layers of both convnets come after 5 x 5 x 32 pooled values
    for (const auto& [in, out, first] : {Layer{784, 128, true}, Layer{128, 64, false}, Layer{64, 10, false},
                                         Layer{800, 128, false}, Layer{128, 10, false}, Layer{800, 64, false}}) {
      for (const std::int64_t batch : {1, 128}) {
        const std::string label = times({batch, in, out});
        const Input x{{batch, in}}, w{{in, out}}, y{{batch, out}}, bias{{out}};
        add(Op::matmul, label, {}, {x, w});
        add(Op::inner_product, label, {}, {x, w}, true);
        add(Op::inner_product, label + "+bias+relu", {.relu = true}, {x, w, bias}, true);
        if (batch == 1) continue;
        if (!first) add(Op::inner_product_data, label, {}, {y, w}, true);
        add(Op::inner_product_weights, label, {}, {x, y}, true);
      }
    }
    const Input square{{1024, 1024}};
    add(Op::matmul, times({1024, 1024, 1024}), {}, {square, square});
    add(Op::inner_product, times({1024, 1024, 1024}), {}, {square, square}, true);
  }

  void convolutions() {
    struct Layer {
      std::int64_t side, in, out;
      bool first;
    };
    for (const auto& [side, in, out, first] : {Layer{28, 1, 16, true}, Layer{13, 16, 32, false}}) {
      for (const std::int64_t batch : {1, 128}) {
        const std::string label = times({batch, side, side, in}) + "-3x3x" + std::to_string(out);
        const Input x{{batch, side, side, in}}, w{{3, 3, in, out}}, y{{batch, side - 2, side - 2, out}}, bias{{out}};
        add(Op::conv2d, label, {}, {x, w});
        add(Op::conv2d, label + "+bias+relu", {.relu = true}, {x, w, bias}, true);
        if (batch == 1) continue;
        if (!first) add(Op::conv2d_data, label, {.shape = x.shape}, {y, w});
        add(Op::conv2d_weights, label, {.shape = w.shape}, {x, y});
      }
    }
  }

  void layers() {
    // hidden values of the MLP, and what both convolutions give
    for (const Shape& shape :
         {Shape{1, 128}, Shape{128, 128}, Shape{1, 26, 26, 16}, Shape{128, 26, 26, 16}, Shape{128, 11, 11, 32}}) {
      const std::string label = to_string(shape);
      add(Op::add_bias, label, {}, {{shape}, {{shape[-1]}}});
      add(Op::relu, label, {}, {{shape}});
      if (shape[0] > 1) add(Op::relu_gradient, label, {}, {{shape}, {shape}});
      if (shape.rank() == 4) pool(shape);
    }
    const Shape hidden{128, 128};
    const Input key{{2}, Content::key, DType::int64};
    add(Op::dropout, to_string(hidden), {.scalar = 0.5}, {{hidden}, key});
    add(Op::dropout_gradient, to_string(hidden), {.scalar = 0.5}, {{hidden}, {hidden, Content::mask, DType::uint8}});
    add(Op::softmax, "1x10", {}, {{{1, 10}}});
    const Shape logits{128, 10};
    const Input labels{{128}, Content::label, DType::int32};
    add(Op::softmax, to_string(logits), {}, {{logits}});
    add(Op::softmax_gradient, to_string(logits), {}, {{logits}, {logits, Content::positive}});
    add(Op::softmax_cross_entropy, to_string(logits), {}, {{logits}, labels});
    add(Op::softmax_cross_entropy_gradient, to_string(logits), {}, {{{128}}, {logits, Content::positive}, labels});
  }

  void pool(const Shape& x) {
    add(Op::max_pool, to_string(x), {.window = 2, .stride = 2}, {{x}});
    if (x[0] == 1) return;
    const Shape y{x[0], x[1] / 2, x[2] / 2, x[3]};
    add(Op::max_pool_gradient, to_string(x), {.window = 2, .stride = 2, .shape = x},
        {{y}, {y, Content::offset, DType::int32}});
  }

  void reductions() {
    // positive numbers: a sum that cancels says nothing about the kernel
    const auto over = [](const Shape& shape) { return Input{shape, Content::positive}; };
    add(Op::sum, "128x128-rows", {.axes = 1}, {over({128, 128})});                   // a dense layer's bias gradient
    add(Op::sum, "128x26x26x16-rows", {.axes = 7}, {over({128, 26, 26, 16})});       // a convolution's
    add(Op::mean, "128", {.axes = 1}, {over({128})});                                // a batch's loss
    add(Op::argmax, "128x10", {}, {{{128, 10}}});                                    // a batch's answers
    add(Op::broadcast, "128-128x128", {.axes = 1, .shape = {128, 128}}, {{{128}}});  // back through a sum over rows
    for (const Op op : {Op::sum, Op::mean, Op::max})
      for (const std::int64_t n : {small, medium}) add(op, std::to_string(n), {.axes = 1}, {over({n})});
    add(Op::sum, std::to_string(large), {.axes = 1}, {over({large})});
  }

  void elementwise() {
    for (const std::int64_t n : {small, medium, large}) {
      const std::string label = std::to_string(n);
      const Input any{{n}}, positive{{n}, Content::positive};
      for (const engine::OpRow& row : engine::op_rows) {
        const Op op = row.op;
        // Beyond the caches all are as fast as these: bytes are the limit.
        if (n == large && op != Op::add && op != Op::scale && op != Op::exp) continue;
        const bool scalar = op == Op::scale || op == Op::add_scalar;
        if (row.category == OpCategory::elementwise_unary)
          add(op, label, {.scalar = scalar ? 0.5 : 0}, {engine::needs_positive(op) ? positive : any});
        if (row.category == OpCategory::elementwise_binary || (op == Op::equal && n != large))
          add(op, label, {}, {any, positive});
      }
      add(Op::cast, label + "-bfloat16", {.dtype = DType::bfloat16}, {any});
    }
    add(Op::cast, "128x784-uint8", {.dtype = DType::float32}, {{{128, 784}, Content::mask, DType::uint8}});  // pixels
  }

  void updates() {
    const Input one{{}, Content::one}, rate{{}, Content::rate}, step{{}, Content::step, DType::int64};
    for (const std::int64_t n : {mlp_parameters, large}) {
      const Input any{{n}}, positive{{n}, Content::positive};
      add(Op::sgd, std::to_string(n), {.momentum = 0.9}, {any, any, any, rate, one});
      add(Op::adam, std::to_string(n), {.beta1 = 0.9, .beta2 = 0.999, .epsilon = 1e-7},
          {any, any, any, positive, rate, step, one});
    }
    for (const Shape& shape : {Shape{784, 128}, Shape{1024, 1024}})
      add(Op::reorder, to_string(shape) + "-packed", {}, {{shape}}, true);
  }

  // Elements. 8 KiB a tensor: three fit in half of a 48 KiB cache. 256 KiB: in half of a 2 MiB one. 32 MiB: in none of
  // these; where it then lies depends on the last-level cache.
  static constexpr std::int64_t small = 2048, medium = 65536, large = 8388608;
  static constexpr std::int64_t mlp_parameters = 784 * 128 + 128 + 128 * 64 + 64 + 64 * 10 + 10;

  std::vector<Size> sizes_;
};

/// Inputs that the shapes follow from: a bias that is fused in comes after those.
std::size_t own_inputs(const Size& size) {
  return operation_info(size.op).counted == Counted::product || operation_info(size.op).counted == Counted::convolution
             ? 2
             : size.in.size();
}

}  // namespace

std::vector<engine::TensorType> Size::in_types() const {
  std::vector<engine::TensorType> types;
  types.reserve(in.size());
  for (const Input& input : in) types.push_back(input.type());
  return types;
}

std::vector<engine::TensorType> Size::out_types() const {
  auto inputs = in_types();
  inputs.resize(own_inputs(*this));
  const Types types = engine::op_info(op).infer(attributes, inputs);
  return {types.begin(), types.end()};
}

double Size::flops() const {
  const auto& row = operation_info(op);
  const auto of = [](const Shape& shape) { return static_cast<double>(shape.elements()); };
  const Shape out = out_types()[0].shape;
  switch (row.counted) {
    case Counted::product:
      // both operands and the result have two of m, k and n: sqrt(mk kn mn) = mkn
      return 2 * std::sqrt(of(in[0].shape) * of(in[1].shape) * of(out));
    case Counted::convolution: {
      // the three tensors that take part are image, weights and result, in an order that depends on the operation
      const Shape& weights = op == Op::conv2d_weights ? out : in[1].shape;
      const Shape& result = op == Op::conv2d ? out : op == Op::conv2d_data ? in[0].shape : in[1].shape;
      return 2 * of(result) * of(weights) / static_cast<double>(weights[3]);
    }
    case Counted::in:
      return row.flops * of(in[0].shape);
    case Counted::out:
      break;
  }
  return row.flops * of(out);
}

const std::vector<Size>& sizes() {
  static const std::vector<Size> all = Table().all();
  return all;
}

std::vector<Size> sizes_of(Family family) {
  std::vector<Size> found;
  std::ranges::copy_if(sizes(), std::back_inserter(found),
                       [&](const Size& size) { return operation_info(size.op).family == family; });
  return found;
}

}  // namespace assay::scenarios::kernels
