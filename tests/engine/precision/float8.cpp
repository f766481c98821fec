// The float8 recipe: scales from an amax history, gradients quantized on their way back.
#include <cmath>
#include <limits>

#include "engine/autograd/gradients.hpp"
#include "engine/core/convert.hpp"
#include "engine/kernels/float8_scaling.hpp"
#include "engine/nn/models.hpp"
#include "engine/nn/train_step.hpp"
#include "engine/ops/arithmetic.hpp"
#include "engine/ops/precision.hpp"
#include "engine/ops/reduction.hpp"
#include "tests/catch.hpp"

using namespace assay::engine;

TEST_CASE("the scale is the largest power of 2 that keeps amax within the format") {
  CHECK(float8_scale(448, 448) == 1);
  CHECK(float8_scale(449, 448) == 0.5F);
  CHECK(float8_scale(1, 448) == 256);             // 448 / 2 < 256 <= 448
  CHECK(float8_scale(1e-3F, 57344) == 33554432);  // 2^25 <= 5.7344e7 < 2^26
  for (const float amax : {0.0F, std::nanf(""), std::numeric_limits<float>::infinity()})
    CHECK(float8_scale(amax, 448) == 1);
  CHECK(std::isfinite(1 / float8_scale(1e-45F, 448)));
}

TEST_CASE("a quantized tensor lies on the format's grid, exactly also in bfloat16, and tells its amax") {
  const Tensor x = Tensor::from<float>(Shape{5}, {0.1F, -0.3F, 1.9F, 0.001F, 0});
  const Quantized q = quantize(x, Tensor::scalar(128.0F), DType::float8_e4m3);
  const auto y = q.y.to<float>();
  for (std::size_t i = 0; i < y.size(); ++i) {
    CHECK(y[i] == to_float(to_float8_e4m3(x.as<float>()[i] * 128)) / 128);
    CHECK(to_float(to_bfloat16(y[i])) == y[i]);
  }
  CHECK(q.amax.item<float>() == 1.9F);
}

TEST_CASE("quantizing is converting there and back, for float32 numbers of every exponent and every rounding") {
  std::vector<float> wide;
  for (std::uint32_t bits = 0; bits < 65536; ++bits) {
    for (const std::uint32_t rest : {0u, 1u, 0x7fffu, 0x8000u, 0x8001u, 0xffffu})
      wide.push_back(std::bit_cast<float>(bits << 16 | rest));
  }
  const Tensor x = Tensor::from<float>(Shape{static_cast<std::int64_t>(wide.size())}, wide);
  const auto check = [&](DType format, auto narrow) {
    const auto y = quantize(x, Tensor::scalar(1.0F), format).y.to<float>();
    int wrong = 0;
    for (std::size_t i = 0; i < wide.size(); ++i) {
      const float expected = to_float(narrow(wide[i], Overflow::saturate));
      const bool same = std::bit_cast<std::uint32_t>(y[i]) == std::bit_cast<std::uint32_t>(expected);
      wrong += !(same || (std::isnan(y[i]) && std::isnan(expected)));
    }
    CHECK(wrong == 0);
  };
  check(DType::float8_e4m3, to_float8_e4m3);
  check(DType::float8_e5m2, to_float8_e5m2);
}

TEST_CASE("gradients pass a quantization straight through, and are quantized where the recipe asks for it") {
  const Variable w("w", Tensor::from<float>(Shape{3}, {0.7F, -2, 0.01F})), amax("amax", Tensor::scalar(0.0F));
  const Tensor by = Tensor::from<float>(Shape{3}, {0.3F, 1.7F, -5}), scale = Tensor::scalar(4.0F);
  const auto through =
      value_and_gradients([&] { return sum(quantize(w.value(), scale, DType::float8_e4m3).y * by); }, {{w}});
  CHECK(through.gradients[0].to<float>() == by.to<float>());
  const auto quantized = value_and_gradients(
      [&] { return sum(quantize_gradient(w.value(), scale, amax.value(), DType::float8_e5m2) * by); },
      std::vector{w, amax});
  for (std::size_t i = 0; i < 3; ++i)
    CHECK(quantized.gradients[0].as<float>()[i] == to_float(to_float8_e5m2(by.as<float>()[i] * 4)) / 4);
  CHECK(quantized.gradients[1].item<float>() == 5);
}

TEST_CASE("the history's largest amax decides the scale until it falls out") {
  const Float8Tensor tensor("t", DType::float8_e4m3, 3);
  CHECK(tensor.scale().item<float>() == 1);
  const auto see = [&](float amax) {
    tensor.observe(Tensor::scalar(amax));
    return tensor.scale().item<float>();
  };
  CHECK(see(1) == 256);
  CHECK(see(100) == 4);
  CHECK(see(1) == 4);
  CHECK(see(1) == 4);
  CHECK(see(1) == 256);  // three steps later the 100 has gone
}

TEST_CASE("what is not finite has no place in the history: the scale comes through it") {
  const float infinity = std::numeric_limits<float>::infinity();
  for (const Backend* backend : {&reference_backend(), &eigen_backend()}) {
    const SettingsScope scope({1, {}, backend});
    const Float8Tensor tensor("t", DType::float8_e5m2, 3);
    tensor.observe(Tensor::scalar(100.0F));
    const Tensor x = Tensor::from<float>(Shape{4}, {1, -infinity, std::nanf(""), 7});
    CHECK(quantize(x, tensor.scale(), DType::float8_e5m2).amax.item<float>() == 7);
    CHECK(tensor.quantized(x, true).to<float>()[1] == -infinity);  // and stays visible
    CHECK(tensor.scale().item<float>() == 512);                    // 57344 / 100 = 573
    tensor.observe(Tensor::scalar(0.0F));
    tensor.observe(Tensor::scalar(0.0F));
    CHECK(tensor.scale().item<float>() == 8192);  // 57344 / 7
  }
}

TEST_CASE("a mixed_float8 step is traced, notes every amax, and its scales follow") {
  const SettingsScope scope({2, {}});
  const Model model = models::mlp({8, 16, 4}, 0, policy_named("mixed_float8"));
  const auto optimizer = make_sgd(model.weights(), 0.1);
  TrainStep step(model, *optimizer);
  const Tensor x = Tensor::full(Shape{4, 8}, 0.5), labels = Tensor::zeros(Shape{4}, DType::int32);
  step(x, labels), step(x, labels);
  CHECK(step.traced().traces() == 1);
  int histories = 0;
  for (const Variable& variable : model.state()) {
    if (variable.name().find("amax_history") == std::string::npos) continue;
    ++histories;
    INFO(variable.name());
    const auto history = variable.value().to<float>();
    CHECK(history[0] > 0);
    CHECK(history[1] > 0);
    CHECK(history[2] == 0);
    if (variable.name() == "dense_0/float8_input/amax_history") CHECK(history[0] == 0.5F);
  }
  CHECK(histories == 3);  // input, kernel and gradient of the one layer that is not the last
  CHECK(model.float8_gradients().size() == 1);
}
