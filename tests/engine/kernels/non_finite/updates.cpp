// Optimizer updates: plain arithmetic, element by element; a skipped step keeps everything, whatever the gradient is.
#include "tests/engine/kernels/non_finite/non_finite.hpp"

using namespace assay::engine;
using namespace assay::engine::testing;

namespace {

constexpr std::int64_t n = 2049;

/// The elements repeated to n.
Values repeated(const std::vector<double>& elements, DType dtype) {
  std::vector<double> all;
  for (std::size_t i = 0; i < n; ++i) all.push_back(elements[i % elements.size()]);
  return values({n}, std::move(all), dtype);
}

}  // namespace

TEST_CASE("a gradient that is not finite spoils its own parameter and slots, and no other") {
  for (const DType dtype : {DType::float32, DType::float64}) {
    const Values parameter = repeated({1}, dtype), gradient = repeated({qnan, inf, -inf, 0}, dtype);
    const Values zeros = repeated({0}, dtype), rate = values({}, {0.5}, dtype), apply = values({}, {1});
    for (const bool nesterov : {false, true}) {
      check_everywhere({Op::sgd, {.momentum = 0.5, .nesterov = nesterov}}, {parameter, gradient, zeros, rate, apply},
                       {repeated({qnan, -inf, inf, 1}, dtype), repeated({qnan, -inf, inf, 0}, dtype)},
                       std::string(name(dtype)));
    }
    check_everywhere({Op::adam, {.beta1 = 0.5, .beta2 = 0.5, .epsilon = 1e-7}},
                     {parameter, gradient, zeros, zeros, rate, values({}, {1}, DType::int64), apply},
                     {repeated({qnan, qnan, qnan, 1}, dtype), repeated({qnan, inf, -inf, 0}, dtype),
                      repeated({qnan, inf, inf, 0}, dtype)},
                     std::string(name(dtype)));
  }
}

TEST_CASE("a skipped step keeps parameters and slots where the gradient is not finite") {
  for (const DType dtype : {DType::float32, DType::float64}) {
    const Values parameter = repeated({1, 2, inf}, dtype), gradient = repeated({qnan, inf, 1}, dtype);
    const Values slot = repeated({3, qnan, 4}, dtype), rate = values({}, {0.5}, dtype), skip = values({}, {0});
    check_everywhere({Op::sgd, {.momentum = 0.5}}, {parameter, gradient, slot, rate, skip}, {parameter, slot},
                     std::string(name(dtype)));
    check_everywhere({Op::adam, {.beta1 = 0.5, .beta2 = 0.5, .epsilon = 1e-7}},
                     {parameter, gradient, slot, slot, rate, values({}, {1}, DType::int64), skip},
                     {parameter, slot, slot}, std::string(name(dtype)));
  }
}
