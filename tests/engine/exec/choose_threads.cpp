// Control engine.choose_threads: who uses a measured number of threads, and what is chosen from times.
#include "engine/exec/choose_threads.hpp"

#include "engine/core/threads.hpp"
#include "engine/nn/models.hpp"
#include "engine/nn/train_step.hpp"
#include "tests/catch.hpp"

using namespace assay::engine;

namespace {

int max_threads(const Plan& plan) {
  int most = 0;
  for (const Step& step : plan.steps) most = std::max(most, step.prepared.info.threads);
  return most;
}

const Tensor images = Tensor::full(Shape{64, 28, 28, 1}, 0.5);

}  // namespace

TEST_CASE("the fewest threads within 3 % of the fastest are chosen") {
  CHECK(choose_threads(std::vector<ThreadTime>{{1, 100}, {2, 60}, {4, 59}}) == 2);
  CHECK(choose_threads(std::vector<ThreadTime>{{1, 100}, {2, 98}}) == 1);
  CHECK(choose_threads(std::vector<ThreadTime>{{1, 100}, {2, 96}}) == 2);
  CHECK(choose_threads(std::vector<ThreadTime>{{1, 7}}) == 1);
}

TEST_CASE("powers of two up to the limit are timed, the limit itself too") {
  const auto twice = [](std::span<const Tensor> in) { return std::vector<Tensor>{in[0]}; };
  const std::vector<Tensor> in{Tensor::zeros(Shape{1})};
  std::vector<int> tried;
  for (const ThreadTime& time : time_threads(twice, in, 6)) {
    tried.push_back(time.threads);
    CHECK(time.nanoseconds > 0);
  }
  CHECK(tried == std::vector<int>{1, 2, 4, 6});
}

TEST_CASE("an inference plan uses the measured threads while the control is on, with the same answer") {
  if (!threads_available()) SKIP("this build has no OpenMP");
  const Model model = models::serving_convnet(0);
  const auto predict = [&](std::span<const Tensor> in) { return std::vector<Tensor>{model(in[0])}; };
  const auto run = [&](const Settings& with) {
    const SettingsScope scope(with);
    TracedFunction f("predict", predict);
    auto result = f({images})[0].to<float>();
    return std::pair{max_threads(*f.plan()), result};
  };
  const auto plain = run({2, {}});
  const auto chosen = run({2, {}, nullptr, 1});
  CHECK(plain.first == 2);
  CHECK(chosen.first == 1);
  CHECK(run({2, ControlSet{}.without(Control::choose_threads), nullptr, 1}).first == 2);
  CHECK(run({1, {}, nullptr, 2}).first == 1);  // never more than there are
  for (std::size_t i = 0; i < plain.second.size(); ++i)
    CHECK(chosen.second[i] == Approx(plain.second[i]).epsilon(1e-5).margin(1e-7));
}

TEST_CASE("a training step keeps its fixed rule, and is refused as something to time") {
  if (!threads_available()) SKIP("this build has no OpenMP");
  const SettingsScope scope({2, {}, nullptr, 1});
  const Model model = models::convnet(0);
  const auto optimizer = make_sgd(model.weights(), 0.1);
  TrainStep step(model, *optimizer);
  step(images, Tensor::zeros(Shape{64}, DType::int32));
  CHECK(max_threads(*step.traced().plan()) == 2);
  const Variable counter("counter", Tensor::scalar(0.0F));
  const auto counting = [&](std::span<const Tensor> in) {
    counter.assign(in[0]);
    return std::vector<Tensor>{};
  };
  const std::vector<Tensor> in{Tensor::scalar(1.0F)};
  CHECK_THROWS_WITH(time_threads(counting, in, 2), Catch::Contains("change no variable"));
}
