// Every pass: the same answer on and off, off is off, and a graph that it does not concern is left as it is.
#include "engine/graph/passes/passes.hpp"

#include <cmath>

#include "engine/autograd/gradients.hpp"
#include "engine/controls/library.hpp"
#include "engine/core/random.hpp"
#include "engine/exec/traced_function.hpp"
#include "engine/nn/models.hpp"
#include "engine/nn/train_step.hpp"
#include "engine/ops/arithmetic.hpp"
#include "engine/ops/convolution.hpp"
#include "engine/ops/layers.hpp"
#include "engine/ops/matmul.hpp"
#include "engine/ops/reduction.hpp"
#include "engine/ops/shape.hpp"
#include "engine/ops/unary.hpp"
#include "tests/catch.hpp"
#include "tests/engine/distance.hpp"
#include "tests/engine/graph/passes/compare_passes.hpp"

using namespace assay::engine;
using namespace assay::engine::testing;

namespace {

std::ptrdiff_t count(const Plan& plan, Op op) { return std::ranges::count(plan.steps, op, &Step::op); }

const std::vector<Tensor> two_matrices = {normals({37, 33}, 1), normals({37, 33}, 2)};

}  // namespace

TEST_CASE("each pass has a control of its own and runs once") {
  std::vector<Control> controls;
  for (const Pass& pass : all_passes) controls.push_back(pass.control);
  std::ranges::sort(controls);
  CHECK(std::ranges::adjacent_find(controls) == controls.end());
  const SettingsScope scope({1, {}});
  TracedFunction f("f", [](std::span<const Tensor> in) { return std::vector<Tensor>{square(in[0])}; });
  f(two_matrices);
  CHECK(f.plan()->passes.size() == std::size(all_passes));
}

TEST_CASE("no pass touches a graph that it does not concern") {
  const auto plain = [](std::span<const Tensor> in) { return std::vector<Tensor>{softmax(in[0]), max(in[1])}; };
  const TracedRun off = traced(plain, two_matrices, only({}), Control::dce);
  for (const Pass& pass : all_passes) {
    INFO(static_cast<int>(pass.control));
    const TracedRun on = traced(plain, two_matrices, only({pass.control}), pass.control);
    CHECK(on.changes == 0);
    CHECK(on.steps == off.steps);
    CHECK(on.arena == off.arena);
  }
}

TEST_CASE("folding computes what depends on constants alone while planning") {
  const Tensor rate = Tensor::scalar(3.0F);
  const auto function = [&](std::span<const Tensor> in) {
    const Tensor factor = add_scalar(square(rate), 1);  // 10
    return std::vector<Tensor>{in[0] * factor, scale(rate, 2)};
  };
  const auto [on, off] = compare(Control::fold_constants, function, two_matrices, 0);
  CHECK(on.changes == 2);  // the result 2 * rate is made at every call, in its own memory
  CHECK(off.count(Op::square) == 1);
  CHECK(on.count(Op::square) == 0);
  CHECK(on.results[0][0] == Approx(10 * two_matrices[0].as<float>()[0]));
  CHECK(on.results[1][0] == 6.0F);
}

TEST_CASE("folding leaves alone what would only fill memory") {
  const Tensor one = Tensor::scalar(1.0F);
  const auto function = [&](std::span<const Tensor>) {
    return std::vector<Tensor>{sum(broadcast(one, Shape{1024, 1024}, 3))};
  };
  const TracedRun on = traced(function, {}, only({Control::fold_constants}), Control::fold_constants);
  CHECK(on.changes == 0);
  CHECK(on.results[0][0] == 1024.0F * 1024);
}

TEST_CASE("equal operations on equal inputs are computed once, different ones are not") {
  const auto function = [](std::span<const Tensor> in) {
    const Tensor a = exp(scale(in[0], 0.5)), b = exp(scale(in[0], 0.5)), other = exp(scale(in[0], 0.25));
    return std::vector<Tensor>{a * in[1] + b * other};
  };
  const auto [on, off] = compare(Control::cse, function, two_matrices, 0);
  CHECK(on.changes == 2);
  CHECK(off.count(Op::exp) == 3);
  CHECK(on.count(Op::exp) == 2);
}

TEST_CASE("two variables with equal updates keep values of their own") {
  const Variable a("a", Tensor::zeros(Shape{3})), b("b", Tensor::zeros(Shape{3}));
  const auto function = [&](std::span<const Tensor> in) {
    a.assign(square(in[0]));
    b.assign(square(in[0]));
    return std::vector<Tensor>{};
  };
  traced(function, {Tensor::full(Shape{3}, 2)}, only({Control::cse}), Control::cse);
  CHECK(a.value().to<float>() == std::vector<float>{4, 4, 4});
  CHECK(b.value().to<float>() == std::vector<float>{4, 4, 4});
}

TEST_CASE("what nobody needs is not computed, what a variable needs is") {
  const Variable counter("counter", Tensor::zeros(Shape{37, 33}));
  const auto function = [&](std::span<const Tensor> in) {
    exp(tanh(in[0]));
    counter.assign(counter.value() + in[1]);
    return std::vector<Tensor>{square(in[0])};
  };
  const auto [on, off] = compare(Control::dce, function, two_matrices, 0);
  CHECK(on.changes == 2);
  CHECK(off.count(Op::tanh) == 1);
  CHECK(on.count(Op::tanh) == 0);
  CHECK(on.count(Op::add) == 1);
  CHECK(counter.value().as<float>()[0] == Approx(4 * two_matrices[1].as<float>()[0]));  // two calls, on and off
}

TEST_CASE("a mask moves below the pooling's gradient, where it is a quarter of the size, with the same bits") {
  const Variable w("w", normals({3, 3, 1, 8}, 3));
  const auto function = [&](std::span<const Tensor> in) {
    // Standard normals through an odd-sized convolution: whole windows of zeros after the ReLU among them.
    auto got = value_and_gradients(
        [&] { return sum(square(max_pool(relu(conv2d(in[0], w.value(), 1, Padding::valid)), 2, 2))); }, {{w}});
    return std::vector<Tensor>{got.value, got.gradients[0]};
  };
  const auto [on, off] = compare(Control::hoist_relu_gradient, function, {normals({4, 15, 15, 1}, 4)}, 0);
  CHECK(on.changes == 1);
  CHECK(off.changes == 0);
  CHECK(std::ranges::find(on.steps, Op::relu_gradient) < std::ranges::find(on.steps, Op::max_pool_gradient));
  CHECK(std::ranges::find(off.steps, Op::relu_gradient) > std::ranges::find(off.steps, Op::max_pool_gradient));
}

TEST_CASE("bias and ReLU become part of the product, and the answer stays") {
  const Tensor w = normals({33, 20}, 5), b = normals({20}, 6);
  const auto dense = [&](std::span<const Tensor> in) {
    return std::vector<Tensor>{relu(add_bias(matmul(in[0], w), b)), add_bias(matmul(in[1], w), b)};
  };
  const auto [on, off] = compare(Control::fuse_epilogue, dense, two_matrices, 1e-5);
  CHECK(on.changes == 3);
  CHECK(on.steps == std::vector<Op>{Op::matmul, Op::matmul});
  CHECK(off.steps.size() == 5);

  const Tensor window = normals({3, 3, 2, 5}, 7), shift = normals({5}, 8);
  const auto convolution = [&](std::span<const Tensor> in) {
    return std::vector<Tensor>{relu(add_bias(conv2d(in[0], window, 1, Padding::same), shift))};
  };
  const auto image = compare(Control::fuse_epilogue, convolution, {normals({3, 9, 7, 2}, 9)}, 1e-5);
  CHECK(image.on.steps == std::vector<Op>{Op::conv2d});
}

TEST_CASE("a product that somebody else reads too keeps its bias apart") {
  const Tensor w = normals({33, 20}, 5), b = normals({20}, 6);
  const auto function = [&](std::span<const Tensor> in) {
    const Tensor product = matmul(in[0], w);
    return std::vector<Tensor>{add_bias(product, b), square(product)};
  };
  CHECK(compare(Control::fuse_epilogue, function, two_matrices, 0).on.changes == 0);
}

TEST_CASE("the gradient of a bias comes with that of the weights where the back end sums it there") {
  const Model model = models::convnet(0);
  const Tensor x = normals({8, 28, 28, 1}, 10), labels = Tensor::zeros(Shape{8}, DType::int32);
  const auto function = [&](std::span<const Tensor> in) {
    auto got =
        value_and_gradients([&] { return mean(softmax_cross_entropy(model.logits(in[0]), in[1])); }, model.weights());
    return got.gradients;
  };
  const auto [on, off] = compare(Control::fuse_epilogue, function, {x, labels}, 1e-5);
  CHECK(off.count(Op::sum) == 4);
  // The two convolutions'; a plain matrix product has no second output.
  CHECK(on.count(Op::sum) == (onednn_present() ? 2 : 4));
}

TEST_CASE("all parameters are updated in one kernel, with the bits of single updates, skipped or not") {
  for (const float applied : {1.0F, 0.0F}) {
    std::vector<std::vector<std::vector<float>>> states;
    for (const bool fused : {true, false}) {
      const SettingsScope scope(
          {2, only(fused ? std::initializer_list<Control>{Control::fuse_update} : std::initializer_list<Control>{})});
      const std::vector<Variable> weights = {Variable("a", normals({300, 500}, 11)), Variable("b", normals({7}, 12)),
                                             Variable("c", normals({33, 3}, 13))};
      for (const bool adam : {true, false}) {
        const auto optimizer = adam ? make_adam(weights) : make_sgd(weights, 0.1, {.momentum = 0.9, .nesterov = true});
        TracedFunction step("update", [&](std::span<const Tensor> in) {
          std::vector<Tensor> gradients;
          for (const Variable& weight : weights) gradients.push_back(square(weight.value()));
          optimizer->update(gradients, in[0]);
          return std::vector<Tensor>{};
        });
        for (int i = 0; i < 3; ++i) step({Tensor::scalar(applied)});
        CHECK(count(*step.plan(), adam ? Op::adam : Op::sgd) == (fused ? 1 : 3));
        CHECK(step.plan()->changes(Control::fuse_update) == (fused ? 2 : 0));
        auto& values = states.emplace_back();
        for (const Variable& weight : weights) values.push_back(weight.value().to<float>());
        for (const Variable& slot : optimizer->state()) {
          if (slot.type().dtype == DType::float32) values.push_back(slot.value().to<float>());
        }
        if (applied == 0) CHECK(values[1] == normals({7}, 12).to<float>());
      }
    }
    CHECK(states[0] == states[2]);
    CHECK(states[1] == states[3]);
  }
}

TEST_CASE("an update whose result is read in the same call stays where it is") {
  const std::vector<Variable> weights = {Variable("a", normals({5}, 1)), Variable("b", normals({5}, 2))};
  const auto optimizer = make_sgd(weights, 0.5);
  const SettingsScope scope({1, only({Control::fuse_update})});
  TracedFunction step("update", [&](std::span<const Tensor> in) {
    optimizer->update({{in[0], in[0]}}, Tensor::scalar(1.0F));
    return std::vector<Tensor>{scale(weights[0].value(), 2)};
  });
  const float before = weights[0].value().as<float>()[0];
  const float after = step({Tensor::full(Shape{5}, 1)})[0].as<float>()[0];
  CHECK(step.plan()->changes(Control::fuse_update) == 0);
  CHECK(after == Approx(2 * (before - 0.5F)));
}

TEST_CASE("a chain of element-wise operations is one step with the same bits, at every size") {
  const auto function = [](std::span<const Tensor> in) {
    const Tensor scalar = mean(in[1]);
    return std::vector<Tensor>{tanh(maximum(in[0] * in[1], scalar) + in[0]),
                               cast(cast(in[0], DType::float64), DType::float32)};
  };
  for (const Shape& shape : {Shape{1}, Shape{3}, Shape{1024}, Shape{1025}, Shape{64, 4097}}) {
    INFO(to_string(shape));
    const auto [on, off] = compare(Control::fuse_elementwise, function, {normals(shape, 14), normals(shape, 15)}, 0);
    CHECK(on.changes == 4);  // four operations in one chain, two casts in another
    CHECK(on.steps == std::vector<Op>{Op::mean, Op::fused_elementwise, Op::fused_elementwise});
    CHECK(on.arena < off.arena);
  }
}

TEST_CASE("a chain ends where somebody else needs the value") {
  const auto branches = [](std::span<const Tensor> in) {
    const Tensor middle = square(in[0]);
    return std::vector<Tensor>{exp(middle), tanh(middle)};
  };
  CHECK(compare(Control::fuse_elementwise, branches, two_matrices, 0).on.changes == 0);
}

TEST_CASE("of two chains that meet, one goes on and the other ends as its operand") {
  const auto meeting = [](std::span<const Tensor> in) {
    return std::vector<Tensor>{exp(tanh(square(in[0])) + tanh(negate(in[1])))};
  };
  const auto [on, off] = compare(Control::fuse_elementwise, meeting, two_matrices, 0);
  CHECK(on.changes == 4);
  CHECK(on.steps == std::vector<Op>{Op::fused_elementwise, Op::fused_elementwise});
}

TEST_CASE("in a chain each operation keeps the back end that has a kernel for it: counters are the reference's") {
  const Variable counter("counter", Tensor::scalar(std::int64_t{3}));
  const auto counting = [&](std::span<const Tensor> in) {
    return std::vector<Tensor>{sum(in[0]), cast(add_scalar(counter.value(), 1), DType::float32)};
  };
  const auto [on, off] = compare(Control::fuse_elementwise, counting, two_matrices, 0);
  CHECK(on.changes == 1);
  CHECK(on.results[1][0] == 4.0F);
}

TEST_CASE("a batch of convolutions and poolings runs in slices: values and every gradient stay, memory shrinks") {
  const Model model = models::convnet(0);
  const auto function = [&](std::span<const Tensor> in) {
    auto got =
        value_and_gradients([&] { return mean(softmax_cross_entropy(model.logits(in[0]), in[1])); }, model.weights());
    got.gradients.push_back(got.value);
    return got.gradients;
  };
  // 250 images: no size of a slice divides them evenly among two threads and into whole slices.
  for (const std::int64_t images : {256, 250}) {
    const std::vector<Tensor> in = {normals({images, 28, 28, 1}, 20), Tensor::zeros(Shape{images}, DType::int32)};
    const auto exact = [&] {
      const SettingsScope scope({1, only({}), &reference_backend()});
      std::vector<std::vector<float>> results;
      for (const Tensor& result : function(in)) results.push_back(result.to<float>());
      return results;
    }();
    for (const int threads : {1, 2}) {
      INFO(images << " images, " << threads << " threads");
      const std::vector<Control> others = {Control::hoist_relu_gradient, Control::fuse_epilogue};
      const TracedRun on =
          traced(function, in, only({others[0], others[1], Control::tile_batch}), Control::tile_batch, threads);
      const TracedRun off = traced(function, in, only({others[0], others[1]}), Control::tile_batch, threads);
      CHECK(off.count(Op::batch_tiles) == 0);
      CHECK(on.count(Op::batch_tiles) >= 1);
      CHECK(on.count(Op::max_pool) == 0);
      // Eigen sums no bias's gradient inside the weights', so there the gradients' images are still needed whole.
      CHECK(on.arena < (onednn_present() ? off.arena / 2 : off.arena));
      for (std::size_t r = 0; r < on.results.size(); ++r) {
        // Other kernels and another order of float32 sums over up to 169,000 pixels: as near to float64 sums as before.
        CHECK(distance(on.results[r], exact[r]) < 5e-6);
        CHECK(distance(on.results[r], exact[r]) < 3 * distance(off.results[r], exact[r]) + 1e-7);
      }
      const TracedRun again =
          traced(function, in, only({others[0], others[1], Control::tile_batch}), Control::tile_batch, threads);
      CHECK(on.results == again.results);
    }
  }
}

TEST_CASE("what fits the cache as a whole batch is not sliced") {
  const Model model = models::serving_convnet(0);
  const auto predict = [&](std::span<const Tensor> in) { return std::vector<Tensor>{model(in[0])}; };
  CHECK(traced(predict, {normals({1, 28, 28, 1}, 21)}, {}, Control::tile_batch).changes == 0);
}

TEST_CASE("a NaN reaches the loss through every fusion") {
  for (const bool convolutions : {false, true}) {
    const SettingsScope scope({2, {}});
    const Model model = convolutions ? models::convnet(0) : models::mlp({784, 32, 10}, 0);
    const auto optimizer = make_sgd(model.weights(), 0.1);
    TrainStep step(model, *optimizer);
    Tensor x = convolutions ? normals({16, 28, 28, 1}, 1) : normals({16, 784}, 1);
    x.as<float>()[1000] = std::nanf("");
    CHECK(std::isnan(step(x, Tensor::zeros(Shape{16}, DType::int32)).loss));
  }
}
