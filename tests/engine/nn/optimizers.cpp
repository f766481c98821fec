// Adam and SGD against the same formulas in float64, several steps long.
#include "engine/nn/optimizer.hpp"

#include <cmath>

#include "engine/kernels/settings.hpp"
#include "tests/catch.hpp"

using namespace assay::engine;

namespace {

constexpr int steps = 5;
const std::vector<double> start{0.5, -0.25, 1.0};

double gradient_at(int step, std::size_t i) { return 0.3 * std::sin(1.0 + step + 2.0 * static_cast<double>(i)); }

Tensor gradient(int step) {
  std::vector<float> values;
  for (std::size_t i = 0; i < start.size(); ++i) values.push_back(static_cast<float>(gradient_at(step, i)));
  return Tensor::from(Shape{3}, std::span<const float>(values));
}

Variable weight() {
  const std::vector<float> values(start.begin(), start.end());
  return {"w", Tensor::from(Shape{3}, std::span<const float>(values))};
}

void check_near(const Variable& w, const std::vector<double>& expected) {
  const auto values = w.value().to<float>();
  for (std::size_t i = 0; i < expected.size(); ++i) CHECK(values[i] == Approx(expected[i]).epsilon(2e-6));
}

}  // namespace

TEST_CASE("Adam follows Keras's formula") {
  const double rate = 1e-2;
  const double beta1 = 0.9;
  const double beta2 = 0.999;
  const double epsilon = 1e-7;
  const Variable w = weight();
  const auto adam = make_adam({w}, rate);
  std::vector<double> expected = start;
  std::vector<double> m(3, 0);
  std::vector<double> v(3, 0);
  for (int t = 1; t <= steps; ++t) {
    adam->update(std::vector{gradient(t)}, Tensor::scalar(1.0F));
    const double alpha = rate * std::sqrt(1 - std::pow(beta2, t)) / (1 - std::pow(beta1, t));
    for (std::size_t i = 0; i < 3; ++i) {
      const double g = gradient_at(t, i);
      m[i] = beta1 * m[i] + (1 - beta1) * g;
      v[i] = beta2 * v[i] + (1 - beta2) * g * g;
      expected[i] -= alpha * m[i] / (std::sqrt(v[i]) + epsilon);
    }
    check_near(w, expected);
  }
  // By hand: the first step of Adam is the learning rate against the sign of the gradient.
  const Variable one = weight();
  make_adam({one}, rate)
      ->update(std::vector{Tensor::from<float>(Shape{3}, {0.2F, -5.0F, 1e-3F})}, Tensor::scalar(1.0F));
  check_near(one, {0.5 - rate, -0.25 + rate, 1.0 - rate * 0.9968477});
}

TEST_CASE("SGD: plain, with momentum, and with Nesterov's") {
  for (const SgdSettings settings : {SgdSettings{}, SgdSettings{0.9, false}, SgdSettings{0.9, true}}) {
    const double rate = 0.1;
    const Variable w = weight();
    const auto sgd = make_sgd({w}, rate, settings);
    std::vector<double> expected = start;
    std::vector<double> velocity(3, 0);
    for (int t = 1; t <= steps; ++t) {
      sgd->update(std::vector{gradient(t)}, Tensor::scalar(1.0F));
      for (std::size_t i = 0; i < 3; ++i) {
        const double g = gradient_at(t, i);
        velocity[i] = settings.momentum * velocity[i] - rate * g;
        expected[i] += settings.nesterov ? settings.momentum * velocity[i] - rate * g : velocity[i];
      }
      check_near(w, expected);
    }
  }
}

TEST_CASE("a skipped step changes nothing: neither weights nor moments nor the step counter") {
  const Variable w = weight();
  const auto adam = make_adam({w}, 1e-2);
  adam->update(std::vector{gradient(1)}, Tensor::scalar(1.0F));
  std::vector<std::vector<std::byte>> before;
  auto state = adam->state();
  state.push_back(w);
  const auto bytes = [](const Variable& variable) {
    const Tensor value = variable.value();
    return std::vector<std::byte>(value.data(), value.data() + value.type().bytes());
  };
  for (const Variable& variable : state) before.push_back(bytes(variable));
  adam->update(std::vector{gradient(2)}, Tensor::scalar(0.0F));
  for (std::size_t i = 0; i < state.size(); ++i) {
    INFO(state[i].name());
    CHECK(bytes(state[i]) == before[i]);
  }
}

TEST_CASE("the learning rate is a variable: changing it acts at the next step") {
  const Variable w = weight();
  const auto sgd = make_sgd({w}, 0.1);
  sgd->learning_rate().assign(Tensor::scalar(0.0F));
  sgd->update(std::vector{gradient(1)}, Tensor::scalar(1.0F));
  check_near(w, start);
}
