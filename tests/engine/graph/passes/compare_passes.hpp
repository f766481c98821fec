#pragma once
#include <algorithm>

#include "engine/core/random.hpp"
#include "engine/exec/traced_function.hpp"
#include "tests/catch.hpp"

// A function traced with one pass on and with none: what every test of a pass compares.
namespace assay::engine::testing {

inline Tensor normals(const Shape& shape, std::uint64_t stream) {
  const Tensor tensor = Tensor::zeros(shape);
  fill_normal(tensor.as<float>(), 7, stream);
  return tensor;
}

inline ControlSet only(std::initializer_list<Control> wanted) {
  ControlSet set;
  for (const Pass& pass : all_passes) {
    if (std::ranges::find(wanted, pass.control) == wanted.end()) set = set.without(pass.control);
  }
  return set;
}

struct TracedRun {
  std::vector<std::vector<float>> results;
  std::vector<Op> steps;
  int changes = 0;
  std::size_t arena = 0;

  std::ptrdiff_t count(Op op) const { return std::ranges::count(steps, op); }
};

/// The function traced with these controls, called twice; the results are those of the second call.
inline TracedRun traced(const TracedFunction::Function& function, const std::vector<Tensor>& in,
                        const ControlSet& controls, Control of, int threads = 2) {
  const SettingsScope scope({threads, controls});
  TracedFunction f("under test", function);
  f(in);
  TracedRun result;
  for (const Tensor& tensor : f(in)) result.results.push_back(tensor.to<float>());
  for (const Step& step : f.plan()->steps) result.steps.push_back(step.op);
  result.changes = f.plan()->changes(of);
  result.arena = f.plan()->arena_bytes;
  return result;
}

/// On and off of one pass with no other; checks what holds for each of them and returns both.
struct Pair {
  TracedRun on, off;
};
inline Pair compare(Control control, const TracedFunction::Function& function, const std::vector<Tensor>& in,
                    double tolerance) {
  Pair pair{traced(function, in, only({control}), control), traced(function, in, only({}), control)};
  CHECK(pair.off.changes == 0);
  REQUIRE(pair.on.results.size() == pair.off.results.size());
  for (std::size_t r = 0; r < pair.on.results.size(); ++r) {
    if (tolerance == 0) CHECK(pair.on.results[r] == pair.off.results[r]);
    for (std::size_t i = 0; i < pair.on.results[r].size(); ++i)
      CHECK(pair.on.results[r][i] == Approx(pair.off.results[r][i]).epsilon(tolerance).margin(tolerance));
  }
  return pair;
}

}  // namespace assay::engine::testing
