#include "engine/nn/models.hpp"

#include <unistd.h>

#include <cmath>
#include <filesystem>

#include "engine/nn/safetensors.hpp"
#include "engine/nn/train_step.hpp"
#include "tests/catch.hpp"

using namespace assay::engine;

TEST_CASE(
    "a model that ends in softmax trains on the cross-entropy of its "
    "probabilities, not of their softmax") {
  const Model model = models::serving_convnet(0);
  const auto optimizer = make_sgd(model.weights(), 0.0);
  TrainStep step(model, *optimizer);
  EvaluateStep evaluate(model);
  const Tensor x = Tensor::zeros(Shape{4, 28, 28, 1});
  for (std::size_t i = 0; i < x.as<float>().size(); ++i) x.as<float>()[i] = static_cast<float>(i * 37 % 256);
  const Tensor labels = Tensor::from<std::int32_t>(Shape{4}, {1, 2, 3, 4});
  const auto probabilities = model(x).to<float>();
  double expected = 0;
  for (std::size_t row = 0; row < 4; ++row)
    expected -= std::log(static_cast<double>(probabilities[row * 10 + row + 1])) / 4;
  CHECK(step(x, labels).loss == Approx(expected).epsilon(1e-5));
  CHECK(evaluate(x, labels).loss == Approx(expected).epsilon(1e-5));
}

TEST_CASE("a file that fits only in part changes no variable") {
  const auto file = std::filesystem::temp_directory_path() / ("assay_part_" + std::to_string(::getpid()));
  const Variable a("a", Tensor::full(Shape{2}, 5));
  save_weights(file, std::vector{a, Variable("b", Tensor::zeros(Shape{3}))});
  a.assign(Tensor::zeros(Shape{2}));
  CHECK_THROWS_AS(load_weights(file, std::vector{a, Variable("b", Tensor::zeros(Shape{4}))}), WeightsError);
  CHECK(a.value().to<float>() == std::vector<float>{0, 0});
  std::filesystem::remove(file);
}
