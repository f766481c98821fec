// What looks like a pass's business and is not: a value that somebody else needs stays whole, and the answers stay.
#include <cmath>

#include "engine/controls/library.hpp"
#include "engine/graph/passes/passes.hpp"
#include "engine/nn/optimizer.hpp"
#include "engine/ops/arithmetic.hpp"
#include "engine/ops/layers.hpp"
#include "engine/ops/matmul.hpp"
#include "engine/ops/shape.hpp"
#include "engine/ops/unary.hpp"
#include "tests/engine/graph/passes/compare_passes.hpp"

using namespace assay::engine;
using namespace assay::engine::testing;

namespace {

const std::vector<Tensor> two_matrices = {normals({37, 33}, 1), normals({37, 33}, 2)};

/// A graph by hand, for what no function records.
struct GraphBuilder {
  Graph graph;

  int value(const Shape& shape, Source source = Source::node, DType dtype = DType::float32) {
    return graph.add_value({{dtype, shape, {}}, source, {}});
  }
  void node(const Operation& operation, std::vector<int> in, std::vector<int> out) {
    graph.nodes.push_back({operation, std::move(in), std::move(out)});
  }
};

}  // namespace

TEST_CASE("a product that is a result keeps its bias apart, a biased product its ReLU") {
  const Tensor w = normals({33, 20}, 5), b = normals({20}, 6);
  const auto product = [&](std::span<const Tensor> in) {
    const Tensor made = matmul(in[0], w);
    return std::vector<Tensor>{made, add_bias(made, b)};
  };
  CHECK(compare(Control::fuse_epilogue, product, two_matrices, 0).on.changes == 0);
  const auto biased = [&](std::span<const Tensor> in) {
    const Tensor made = add_bias(matmul(in[0], w), b);
    return std::vector<Tensor>{made, relu(made)};
  };
  const auto [on, off] = compare(Control::fuse_epilogue, biased, two_matrices, 1e-5);
  CHECK(on.changes == 1);
  CHECK(on.steps == std::vector<Op>{Op::matmul, Op::relu});
}

TEST_CASE("a chain ends at a result, and at what a variable becomes") {
  const auto result = [](std::span<const Tensor> in) {
    const Tensor middle = square(in[0]);
    return std::vector<Tensor>{middle, exp(middle)};
  };
  CHECK(compare(Control::fuse_elementwise, result, two_matrices, 0).on.changes == 0);
  const Variable kept("kept", Tensor::zeros(Shape{37, 33}));
  const auto assigned = [&](std::span<const Tensor> in) {
    kept.assign(square(in[0]));
    return std::vector<Tensor>{exp(kept.value())};
  };
  CHECK(compare(Control::fuse_elementwise, assigned, two_matrices, 0).on.changes == 0);
  CHECK(kept.value().as<float>()[1] == Approx(std::pow(two_matrices[0].as<float>()[1], 2)));
}

TEST_CASE("a chain of scalars is not part of the one that it scales") {
  const auto scaled = [](std::span<const Tensor> in) { return std::vector<Tensor>{in[0] * square(in[1])}; };
  const auto [on, off] = compare(Control::fuse_elementwise, scaled, {normals({37, 33}, 1), Tensor::scalar(1.5F)}, 0);
  CHECK(on.changes == 0);
  CHECK(on.results[0][7] == 2.25F * normals({37, 33}, 1).as<float>()[7]);
}

TEST_CASE("updates with rates or switches of their own stay apart") {
  const auto run = [](bool fused) {
    const SettingsScope scope(
        {1, only(fused ? std::initializer_list<Control>{Control::fuse_update} : std::initializer_list<Control>{})});
    const Variable slow("slow", Tensor::full(Shape{4}, 1)), fast("fast", Tensor::full(Shape{4}, 1)),
        still("still", Tensor::full(Shape{4}, 1));
    const auto tenth = make_sgd({slow}, 0.1), half = make_sgd({fast}, 0.5), none = make_sgd({still}, 0.5);
    TracedFunction step("update", [&](std::span<const Tensor> in) {
      tenth->update({{in[0]}}, in[1]);
      half->update({{in[0]}}, in[1]);
      none->update({{in[0]}}, in[2]);
      return std::vector<Tensor>{};
    });
    step({Tensor::full(Shape{4}, 1), Tensor::scalar(1.0F), Tensor::scalar(0.0F)});
    CHECK(step.plan()->changes(Control::fuse_update) == 0);
    CHECK(slow.value().as<float>()[0] == Approx(0.9));
    CHECK(fast.value().as<float>()[0] == Approx(0.5));
    CHECK(still.value().as<float>()[0] == 1.0F);
  };
  run(true);
  run(false);
}

TEST_CASE("updates of one switch and rate stay apart where their momentum differs") {
  const auto joined = [](double other_momentum) {
    GraphBuilder builder;
    std::vector<int> tensors;
    for (int i = 0; i < 6; ++i) tensors.push_back(builder.value({4}, Source::argument));
    const int rate = builder.value({}, Source::argument), apply = builder.value({}, Source::argument);
    for (const int first : {0, 3}) {
      const auto at = [&](int i) { return tensors[static_cast<std::size_t>(first + i)]; };
      builder.node({Op::sgd, {.momentum = first == 0 ? 0.9 : other_momentum}}, {at(0), at(1), at(2), rate, apply},
                   {builder.value({4}), builder.value({4})});
    }
    return fuse_update(builder.graph, {});
  };
  CHECK(joined(0.9) == 1);
  CHECK(joined(0.5) == 0);
}

TEST_CASE("a 16-bit product that somebody reads as it is goes out in 16 bits") {
  const Tensor a = cast(normals({16, 32}, 3), DType::bfloat16), b = cast(normals({32, 8}, 4), DType::bfloat16);
  const auto read_once = [](std::span<const Tensor> in) {
    return std::vector<Tensor>{cast(matmul(in[0], in[1]), DType::float32)};
  };
  CHECK(compare(Control::fuse_casts, read_once, {a, b}, 1e-2).on.changes == 1);
  const auto read_twice = [](std::span<const Tensor> in) {
    const Tensor product = matmul(in[0], in[1]);
    return std::vector<Tensor>{cast(product, DType::float32), cast(square(product), DType::float32)};
  };
  CHECK(compare(Control::fuse_casts, read_twice, {a, b}, 0).on.changes == 0);
  const Variable kept("kept", Tensor::zeros(Shape{16, 8}, DType::bfloat16));
  const auto assigned = [&](std::span<const Tensor> in) {
    kept.assign(matmul(in[0], in[1]));
    return std::vector<Tensor>{cast(kept.value(), DType::float32)};
  };
  CHECK(compare(Control::fuse_casts, assigned, {a, b}, 0).on.changes == 0);
}

TEST_CASE("a weight that is a result stays plain, and so does one whose slot is read") {
  const Tensor x = Tensor::full(Shape{16, 64}, 0.5);
  const Variable w("w", normals({64, 32}, 7));
  const int packable = onednn_present() ? 1 : 0;  // Eigen packs nothing
  const auto product = [&](std::span<const Tensor> in) { return std::vector<Tensor>{matmul(in[0], w.value())}; };
  CHECK(compare(Control::prepack, product, {x}, 1e-5).on.changes == packable);
  const auto weight = [&](std::span<const Tensor> in) {
    return std::vector<Tensor>{matmul(in[0], w.value()), w.value()};
  };
  const auto given = compare(Control::prepack, weight, {x}, 1e-5);
  CHECK(given.on.changes == 0);
  CHECK(given.on.results[1] == w.value().to<float>());

  const auto optimizer = make_sgd({w}, 0.0, {.momentum = 0.9});
  const auto state = optimizer->state();
  const Variable slot =
      *std::ranges::find(state, w.type().shape, [](const Variable& variable) { return variable.type().shape; });
  const auto update = [&](const Tensor& in) {
    optimizer->update({{matmul(in, matmul(in, w.value()), true, false)}}, Tensor::scalar(1.0F));
  };
  const auto training = [&](std::span<const Tensor> in) {
    update(in[0]);
    return std::vector<Tensor>{};
  };
  const auto reads_slot = [&](std::span<const Tensor> in) {
    const Tensor before = scale(slot.value(), 1);
    update(in[0]);
    return std::vector<Tensor>{before};
  };
  CHECK(traced(training, {x}, only({Control::prepack}), Control::prepack).changes == packable);
  CHECK(traced(reads_slot, {x}, only({Control::prepack}), Control::prepack).changes == 0);
}

TEST_CASE("a mask sinks only below the gradient of a pooling of what it masks, which nobody else reads") {
  enum class Twist : std::uint8_t { none, other_mask, second_reader, result };
  const auto sunk = [](Twist twist) {
    GraphBuilder builder;
    const Shape whole{1, 4, 4, 1}, half{1, 2, 2, 1};
    const int y = builder.value(whole, Source::argument), other = builder.value(whole, Source::argument),
              dy = builder.value(half, Source::argument), pooled = builder.value(half),
              indices = builder.value(half, Source::node, DType::int32), spread = builder.value(whole),
              masked = builder.value(whole), more = builder.value(whole);
    builder.graph.arguments = {y, other, dy};
    builder.node({Op::max_pool, {.window = 2, .stride = 2}}, {y}, {pooled, indices});
    builder.node({Op::max_pool_gradient, {.shape = whole}}, {dy, indices}, {spread});
    builder.node({Op::relu_gradient, {}}, {spread, twist == Twist::other_mask ? other : y}, {masked});
    if (twist == Twist::second_reader) builder.node({Op::square, {}}, {spread}, {more});
    builder.graph.results = {masked};
    if (twist == Twist::second_reader) builder.graph.results.push_back(more);
    if (twist == Twist::result) builder.graph.results.push_back(spread);
    return hoist_relu_gradient(builder.graph, {});
  };
  CHECK(sunk(Twist::none) == 1);
  CHECK(sunk(Twist::other_mask) == 0);
  CHECK(sunk(Twist::second_reader) == 0);
  CHECK(sunk(Twist::result) == 0);
}

TEST_CASE("a bias's gradient joins the weights' only where it is the sum over all rows, and nobody read it before") {
  if (!onednn_present()) SKIP("this build has no oneDNN");
  enum class Twist : std::uint8_t { none, other_axes, read_before };
  const auto joined = [](Twist twist) {
    GraphBuilder builder;
    const Shape images{8, 6, 6, 2}, gradients{8, 4, 4, 16}, weights{3, 3, 2, 16};
    const Shape summed = twist == Twist::other_axes ? Shape{4, 16} : Shape{16};
    const int x = builder.value(images, Source::argument), dy = builder.value(gradients, Source::argument),
              sum = builder.value(summed), twice = builder.value(summed), dw = builder.value(weights);
    builder.graph.arguments = {x, dy};
    builder.node({Op::sum, {.axes = twist == Twist::other_axes ? 0b011U : 0b111U}}, {dy}, {sum});
    if (twist == Twist::read_before) builder.node({Op::scale, {.scalar = 2}}, {sum}, {twice});
    builder.node({Op::conv2d_weights, {.shape = weights}}, {x, dy}, {dw});
    if (twist != Twist::read_before) builder.node({Op::scale, {.scalar = 2}}, {sum}, {twice});
    builder.graph.results = {twice, dw};
    return fuse_epilogue(builder.graph, {});
  };
  CHECK(joined(Twist::none) == 1);
  CHECK(joined(Twist::other_axes) == 0);
  CHECK(joined(Twist::read_before) == 0);
}
