#include "engine/exec/traced_function.hpp"

#include <iostream>
#include <sstream>

#include "engine/ops/arithmetic.hpp"
#include "engine/ops/layers.hpp"
#include "engine/ops/matmul.hpp"
#include "engine/ops/reduction.hpp"
#include "engine/ops/shape.hpp"
#include "engine/ops/unary.hpp"
#include "tests/catch.hpp"

using namespace assay::engine;

namespace {

std::vector<Tensor> twice(std::span<const Tensor> in) { return {in[0] + in[0]}; }

Tensor number(float value) { return Tensor::scalar(value); }

/// Keeps std::clog's text for a block.
class CaughtLog {
 public:
  CaughtLog() : before_(std::clog.rdbuf(text_.rdbuf())) {}
  ~CaughtLog() { std::clog.rdbuf(before_); }
  std::string text() const { return text_.str(); }

 private:
  std::ostringstream text_;
  std::streambuf* before_;
};

}  // namespace

TEST_CASE("numbers given as tensors are traced once, whatever their values") {
  TracedFunction f("twice", twice);
  for (int i = 0; i < 10; ++i)
    CHECK(f({number(static_cast<float>(i))})[0].item<float>() == 2.0F * static_cast<float>(i));
  CHECK(f.traces() == 1);
  CHECK(f.replays() == 10);
}

TEST_CASE("a new shape or dtype is traced anew, a known one is not, one warning, plans are bounded") {
  const CaughtLog log;
  TracedFunction f("twice", twice);
  for (int round = 0; round < 2; ++round) {
    for (std::int64_t length = 1; length <= 50; ++length) {
      const auto& result = f({Tensor::full(Shape{length}, 3)});
      CHECK(result[0].to<float>() == std::vector<float>(static_cast<std::size_t>(length), 6.0F));
      CHECK(f.plans() <= TracedFunction::max_plans);
    }
    if (round == 0) CHECK(f.traces() == 50);
  }
  const int before = f.traces();
  f({Tensor::full(Shape{50}, 1)});
  CHECK(f.traces() == before);
  f({Tensor::full(Shape{50}, 1, DType::float64)});
  CHECK(f.traces() == before + 1);
  const std::string text = log.text();
  CHECK(text.find("'twice' was traced 10 times") != std::string::npos);
  CHECK(text.find("was traced", text.find("was traced") + 1) == std::string::npos);
}

TEST_CASE("other settings are another plan: threads and controls are part of the key") {
  TracedFunction f("twice", twice);
  const Tensor x = number(1);
  f({x});
  {
    const SettingsScope scope({settings().threads, settings().controls.without(Control::plan_memory)});
    f({x});
  }
  f({x});
  CHECK(f.traces() == 2);
}

TEST_CASE("with engine.trace off every call runs the function itself") {
  int calls = 0;
  TracedFunction f("counted", [&](std::span<const Tensor> in) {
    ++calls;
    return twice(in);
  });
  {
    const SettingsScope scope({1, settings().controls.without(Control::trace)});
    for (int i = 0; i < 3; ++i) CHECK(f({number(2)})[0].item<float>() == 4.0F);
    CHECK(calls == 3);
    CHECK(f.traces() == 0);
    CHECK(f.plan() == nullptr);
  }
  for (int i = 0; i < 3; ++i) f({number(2)});
  CHECK(calls == 4);
}

TEST_CASE("reading a tensor while its function is recorded is an error that says what to do, the next call works") {
  TracedFunction f("reads", [](std::span<const Tensor> in) {
    const Tensor y = in[0] + in[0];
    if (in[0].shape().rank() == 1) y.item<float>();
    return std::vector<Tensor>{y};
  });
  CHECK_THROWS_AS(f({Tensor::full(Shape{1}, 1)}), std::logic_error);
  CHECK_THROWS_WITH(f({Tensor::full(Shape{1}, 1)}), Catch::Matchers::Contains("being recorded"));
  CHECK(f({number(2)})[0].item<float>() == 4.0F);
}

TEST_CASE("a variable that a traced function assigns is its state: read, changed and kept at every call") {
  const Variable counter("counter", Tensor::scalar(std::int64_t{0}));
  const Variable total("total", Tensor::scalar(0.0F));
  TracedFunction f("accumulate", [&](std::span<const Tensor> in) {
    counter.assign(add_scalar(counter.value(), 1));
    total.assign(total.value() + in[0]);
    return std::vector<Tensor>{total.value()};
  });
  for (int i = 1; i <= 4; ++i) {
    const auto& results = f({number(10)});
    CHECK(results[0].item<float>() == 10.0F * static_cast<float>(i));
    CHECK(counter.value().item<std::int64_t>() == i);
    CHECK(total.value().item<float>() == 10.0F * static_cast<float>(i));
  }
  total.assign(number(-1));
  CHECK(f({number(1)})[0].item<float>() == 0.0F);
  CHECK(f.traces() == 1);
}

TEST_CASE("two variables can be exchanged, and one assigned from an argument") {
  const Variable a("a", number(1));
  const Variable b("b", number(2));
  const Variable c("c", number(3));
  TracedFunction f("exchange", [&](std::span<const Tensor> in) {
    const Tensor old = a.value();
    a.assign(b.value());
    b.assign(old);
    c.assign(in[0]);
    return std::vector<Tensor>{};
  });
  f({number(7)});
  CHECK(a.value().item<float>() == 2.0F);
  CHECK(b.value().item<float>() == 1.0F);
  CHECK(c.value().item<float>() == 7.0F);
  f({number(8)});
  CHECK(a.value().item<float>() == 1.0F);
  CHECK(c.value().item<float>() == 8.0F);
}

TEST_CASE("arguments, constants and views of them can be results") {
  const Tensor captured = Tensor::from<float>(Shape{2, 2}, {1, 2, 3, 4});
  TracedFunction f("pass", [&](std::span<const Tensor> in) {
    const Tensor y = in[0] + captured;
    return std::vector<Tensor>{in[0], captured, reshape(in[0], Shape{4}), y, reshape(y, Shape{1, 4}), y};
  });
  for (const float x : {10.0F, 20.0F}) {
    const auto& results = f({Tensor::full(Shape{2, 2}, static_cast<double>(x))});
    CHECK(results[0].to<float>() == std::vector<float>(4, x));
    CHECK(results[1].to<float>() == std::vector<float>{1, 2, 3, 4});
    CHECK((results[2].shape() == Shape{4}));
    CHECK(results[2].to<float>() == std::vector<float>(4, x));
    for (const std::size_t i : {3U, 4U, 5U})
      CHECK(results[i].to<float>() == std::vector<float>{x + 1, x + 2, x + 3, x + 4});
    CHECK((results[4].shape() == Shape{1, 4}));
  }
}

TEST_CASE("a replay's result stays until the next call, a clone outlasts it") {
  TracedFunction f("twice", twice);
  const Tensor first = f({number(1)})[0];
  const Tensor kept = first.clone();
  f({number(5)});
  CHECK(kept.item<float>() == 2.0F);
}

TEST_CASE("one step of memory is never two values at once: a long chain with branches, planned and not") {
  const auto chain = [](std::span<const Tensor> in) {
    // Every intermediate value is needed again later, in the other order.
    std::vector<Tensor> values{in[0]};
    for (int i = 0; i < 8; ++i) values.push_back(scale(values.back() + in[1], 0.5));
    Tensor total = values[0];
    for (std::size_t i = values.size() - 1; i > 0; --i) total = total * values[i] + values[i - 1];
    return std::vector<Tensor>{total, values[3]};
  };
  const std::vector<Tensor> in{Tensor::from<float>(Shape{3}, {0.5F, -1, 2}), Tensor::from<float>(Shape{3}, {1, 2, -3})};
  const auto expected = chain(in);
  std::size_t planned = 0;
  std::size_t unplanned = 0;
  for (const bool plan : {true, false}) {
    const ControlSet apart = ControlSet{}.without(Control::fuse_elementwise);
    const SettingsScope scope({1, plan ? apart : apart.without(Control::plan_memory)});
    TracedFunction f("chain", chain);
    for (int call = 0; call < 2; ++call) {
      const auto& results = f(in);
      CHECK(results[0].to<float>() == expected[0].to<float>());
      CHECK(results[1].to<float>() == expected[1].to<float>());
    }
    (plan ? planned : unplanned) = f.plan()->arena_bytes;
  }
  CHECK(planned < unplanned);
}

TEST_CASE("a timed call gives what any call gives and a time for every step of the plan") {
  TracedFunction f("f", [](std::span<const Tensor> in) {
    return std::vector<Tensor>{sum(square(in[0])), softmax(in[0])};
  });
  const std::vector<Tensor> in{Tensor::from<float>(Shape{1, 3}, {1, 2, 3})};
  std::vector<double> nanoseconds;
  CHECK(f.profile(in, nanoseconds)[0].item<float>() == 14.0F);
  CHECK(nanoseconds.size() == f.plan()->steps.size());
  CHECK(std::ranges::all_of(nanoseconds, [](double time) { return time > 0; }));
}
