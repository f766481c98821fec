#include "tests/engine/kernels/operation_cases.hpp"

#include <cmath>
#include <limits>

#include "engine/kernels/axes.hpp"
#include "engine/kernels/windows.hpp"

namespace assay::engine::testing {
namespace {

/// Builds the list in one dtype.
class Cases {
 public:
  explicit Cases(DType dtype) : dtype_(dtype) {}

  std::vector<OperationCase> all() {
    products();
    convolutions();
    pools();
    layers();
    reductions();
    elementwise();
    precision();
    updates();
    return std::move(cases_);
  }

 private:
  TensorType type(Shape shape) const { return {dtype_, shape, {}}; }
  Values drawn(Shape shape) { return normals(shape, ++seed_, dtype_); }
  Values positive(Shape shape) {
    Values tensor = drawn(shape);
    for (double& element : tensor.elements) element = std::fabs(element) + 0.1;
    return as(tensor, dtype_);
  }
  Values scalar(double value, DType dtype) const { return as(values(Shape{}, {value}), dtype); }

  void add(Op op, Attributes attributes, std::vector<Values> in, std::vector<TensorType> out) {
    std::string label{name(op)};
    for (const Values& tensor : in) label.append(" ").append(to_string(tensor.type.shape));
    cases_.push_back({std::move(label), {op, attributes}, std::move(in), std::move(out)});
  }

  void products() {
    struct Size {
      std::int64_t m, k, n;
    };
    for (const auto& [m, k, n] : {Size{1, 1, 1}, Size{3, 5, 7}, Size{1, 784, 128}, Size{64, 784, 64}, Size{17, 129, 33},
                                  Size{128, 64, 10}, Size{63, 1, 500}, Size{300, 200, 1}}) {
      for (const bool transpose_a : {false, true}) {
        for (const bool transpose_b : {false, true}) {
          add(Op::matmul, {.transpose_a = transpose_a, .transpose_b = transpose_b},
              {drawn(transpose_a ? Shape{k, m} : Shape{m, k}), drawn(transpose_b ? Shape{n, k} : Shape{k, n})},
              {type({m, n})});
        }
      }
      add(Op::inner_product, {}, {drawn({m, k}), drawn({k, n})}, {type({m, n})});
      add(Op::matmul, {.relu = true}, {drawn({m, k}), drawn({k, n}), drawn({n})}, {type({m, n})});
      add(Op::inner_product, {}, {drawn({m, k}), drawn({k, n}), drawn({n})}, {type({m, n})});
      add(Op::inner_product, {.relu = true}, {drawn({m, k}), drawn({k, n}), drawn({n})}, {type({m, n})});
      add(Op::inner_product_data, {}, {drawn({m, n}), drawn({k, n})}, {type({m, k})});
      add(Op::inner_product_weights, {}, {drawn({m, k}), drawn({m, n})}, {type({k, n})});
    }
  }

  void convolutions() {
    struct Size {
      Shape x, w;
      std::int64_t stride;
      Padding padding;
    };
    for (const auto& [x, w, stride, padding] :
         {Size{{2, 5, 5, 1}, {3, 3, 1, 2}, 1, Padding::valid}, Size{{3, 7, 6, 3}, {3, 2, 3, 5}, 1, Padding::same},
          Size{{2, 9, 8, 2}, {3, 3, 2, 4}, 2, Padding::same}, Size{{2, 8, 8, 4}, {3, 3, 4, 8}, 2, Padding::valid},
          Size{{4, 28, 28, 1}, {3, 3, 1, 16}, 1, Padding::valid},
          Size{{5, 13, 13, 16}, {3, 3, 16, 32}, 1, Padding::valid},
          Size{{2, 6, 6, 3}, {1, 1, 3, 7}, 1, Padding::valid}}) {
      const Attributes attributes{.padding = padding, .stride = stride};
      const Shape y{x[0], window_axis(x[1], w[0], stride, padding).out, window_axis(x[2], w[1], stride, padding).out,
                    w[3]};
      add(Op::conv2d, attributes, {drawn(x), drawn(w)}, {type(y)});
      Attributes finished = attributes;
      finished.relu = true;
      add(Op::conv2d, finished, {drawn(x), drawn(w), drawn({w[3]})}, {type(y)});
      Attributes to_x = attributes;
      to_x.shape = x;
      add(Op::conv2d_data, to_x, {drawn(y), drawn(w)}, {type(x)});
      Attributes to_w = attributes;
      to_w.shape = w;
      add(Op::conv2d_weights, to_w, {drawn(x), drawn(y)}, {type(w)});
    }
  }

  void pools() {
    struct Size {
      Shape x;
      std::int64_t window, stride;
      Padding padding;
    };
    for (const auto& [x, window, stride, padding] :
         {Size{{2, 4, 4, 3}, 2, 2, Padding::valid}, Size{{3, 7, 5, 1}, 2, 2, Padding::valid},
          Size{{2, 7, 7, 4}, 3, 2, Padding::same}, Size{{2, 6, 6, 2}, 3, 1, Padding::valid},
          Size{{2, 8, 8, 2}, 2, 3, Padding::valid}, Size{{16, 26, 26, 16}, 2, 2, Padding::valid}}) {
      Attributes attributes{.padding = padding, .window = window, .stride = stride};
      const Shape y{x[0], window_axis(x[1], window, stride, padding).out,
                    window_axis(x[2], window, stride, padding).out, x[3]};
      const TensorType indices{DType::int32, y, {}};
      // Whole numbers, so that windows hold equals and the first of them must win.
      const Values image = as(as(drawn(x), DType::int8), dtype_);
      add(Op::max_pool, attributes, {image}, {type(y), indices});
      const OperationResult forward =
          run_operation({Op::max_pool, attributes}, {image}, {type(y), indices}, &reference_backend());
      attributes.shape = x;
      add(Op::max_pool_gradient, attributes, {drawn(y), forward.out[1]}, {type(x)});
    }
  }

  void layers() {
    for (const Shape& shape : {Shape{1, 1}, Shape{5, 3}, Shape{128, 10}, Shape{600, 130}, Shape{2, 5, 5, 16}}) {
      add(Op::add_bias, {}, {drawn(shape), drawn({shape[-1]})}, {type(shape)});
      add(Op::relu_gradient, {}, {drawn(shape), drawn(shape)}, {type(shape)});
      add(Op::softmax, {}, {drawn(shape)}, {type(shape)});
      add(Op::softmax_gradient, {}, {drawn(shape), positive(shape)}, {type(shape)});
      const TensorType mask{DType::uint8, shape, {}};
      const Values key = values({2}, {42, 7}, DType::int64);
      add(Op::dropout, {.scalar = 0.3}, {drawn(shape), key}, {type(shape), mask});
      const OperationResult dropped =
          run_operation({Op::dropout, {.scalar = 0.3}}, {drawn(shape), key}, {type(shape), mask}, &reference_backend());
      add(Op::dropout_gradient, {.scalar = 0.3}, {drawn(shape), dropped.out[1]}, {type(shape)});
      if (shape.rank() != 2) continue;
      const std::int64_t rows = shape[0];
      Values labels = values({rows}, {}, DType::int32);
      for (std::int64_t i = 0; i < rows; ++i) labels.elements.push_back(static_cast<double>(i * 7 % shape[1]));
      add(Op::softmax_cross_entropy, {}, {drawn(shape), labels}, {type({rows}), type(shape)});
      add(Op::softmax_cross_entropy_gradient, {}, {drawn({rows}), positive(shape), labels}, {type(shape)});
      add(Op::argmax, {}, {drawn(shape)}, {{DType::int32, {rows}, {}}});
    }
  }

  void reductions() {
    struct Size {
      Shape shape;
      std::uint32_t axes;
    };
    for (const auto& [shape, axes] :
         {Size{{7}, 1}, Size{{300, 130}, 1}, Size{{300, 130}, 2}, Size{{400, 300}, 3}, Size{{9, 13, 13, 16}, 7},
          Size{{3, 4, 5}, 2}, Size{{3, 4, 5}, 5}, Size{{4, 3}, 0}}) {
      for (const Op op : {Op::sum, Op::mean, Op::max}) {
        add(op, {.axes = axes}, {drawn(shape)}, {type(without_axes(shape, axes))});
      }
      add(Op::broadcast, {.axes = axes, .shape = shape}, {drawn(without_axes(shape, axes))}, {type(shape)});
    }
    add(Op::reshape, {.shape = {6, 2}}, {drawn({3, 4})}, {type({6, 2})});
    add(Op::reshape, {.shape = {100000}}, {drawn({100, 1000})}, {type({100000})});
  }

  void elementwise() {
    for (const Shape& shape : {Shape{}, Shape{37}, Shape{500, 301}}) {
      for (const OpRow& row : op_rows) {
        const Op op = row.op;
        if (row.category == OpCategory::elementwise_unary || op == Op::relu)
          add(op, {.scalar = -1.7}, {needs_positive(op) ? positive(shape) : drawn(shape)}, {type(shape)});
        if (row.category != OpCategory::elementwise_binary) continue;
        add(op, {}, {drawn(shape), positive(shape)}, {type(shape)});
        add(op, {}, {drawn(shape), positive({})}, {type(shape)});
      }
      const Values a = drawn(shape);
      Values b = a;
      for (std::size_t i = 0; i < b.elements.size(); i += 3) b.elements[i] += 1;
      add(Op::equal, {}, {a, as(b, dtype_)}, {type(shape)});
      for (const DType to : {DType::float32, DType::float64, DType::bfloat16, DType::float16, DType::int8, DType::uint8,
                             DType::int32, DType::int64}) {
        Values wide = drawn(shape);
        for (double& element : wide.elements) element *= 100;
        add(Op::cast, {.dtype = to}, {as(wide, dtype_)}, {{to, shape, {}}});
        add(Op::cast, {.dtype = dtype_}, {as(wide, to)}, {type(shape)});
      }
    }
  }

  void precision() {
    for (const Shape& shape : {Shape{3}, Shape{700, 301}}) {
      add(Op::all_finite, {}, {drawn(shape)}, {{DType::float32, {}, {}}});
      for (const double last : {std::numeric_limits<double>::infinity(), std::nan("")}) {
        Values spoilt = drawn(shape);
        spoilt.elements.back() = last;
        add(Op::all_finite, {}, {spoilt}, {{DType::float32, {}, {}}});
      }
      const Values power = scalar(16, DType::float32);
      for (const DType format : {DType::float8_e4m3, DType::float8_e5m2}) {
        add(Op::quantize, {.dtype = format}, {drawn(shape), power}, {type(shape), {DType::float32, {}, {}}});
        add(Op::quantize_gradient, {.dtype = format}, {drawn(shape), power, power}, {type(shape)});
        add(Op::float8_scale, {.dtype = format}, {as(positive({37}), DType::float32)}, {{DType::float32, {}, {}}});
      }
    }
  }

  void updates() {
    for (const Shape& shape : {Shape{5}, Shape{300, 128}}) {
      for (const double apply : {1.0, 0.0}) {
        for (const bool nesterov : {false, true}) {
          add(Op::sgd, {.momentum = 0.9, .nesterov = nesterov},
              {drawn(shape), drawn(shape), drawn(shape), scalar(0.01, dtype_), scalar(apply, DType::float32)},
              {type(shape), type(shape)});
        }
        add(Op::adam, {.beta1 = 0.9, .beta2 = 0.999, .epsilon = 1e-7},
            {drawn(shape), drawn(shape), drawn(shape), positive(shape), scalar(0.001, dtype_), scalar(3, DType::int64),
             scalar(apply, DType::float32)},
            {type(shape), type(shape), type(shape)});
      }
    }
  }

  DType dtype_;
  std::uint64_t seed_ = 0;
  std::vector<OperationCase> cases_;
};

}  // namespace

std::vector<OperationCase> operation_cases(DType dtype) { return Cases(dtype).all(); }

}  // namespace assay::engine::testing
