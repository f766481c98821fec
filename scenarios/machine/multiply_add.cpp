#include "scenarios/machine/multiply_add.hpp"

#include <cmath>
#include <utility>

namespace assay::scenarios::machine {
namespace {

// indices known to the compiler keep each chain in a register; a loop over an array may not
template <std::size_t... chain>
float run(std::int64_t steps, const Vector& a, const Vector& b, std::index_sequence<chain...>) {
  Vector start{};
  for (std::size_t lane = 0; lane < lanes; ++lane) start[lane] = static_cast<float>(lane);
  Vector x[] = {(start + static_cast<float>(chain * lanes))...};
  for (std::int64_t step = 0; step < steps; ++step) ((x[chain] = x[chain] * a + b), ...);
  Vector sum = x[0];
  for (std::size_t i = 1; i < sizeof...(chain); ++i) sum += x[i];
  float total = 0;
  for (std::size_t lane = 0; lane < lanes; ++lane) total += sum[lane];
  return total;
}

}  // namespace

float multiply_add(std::int64_t steps, float a, float b) {
  return run(steps, filled(a), filled(b), std::make_index_sequence<chains>{});
}

double multiply_add_closed_form(std::int64_t steps, double a, double b) {
  const double power = std::pow(a, static_cast<double>(steps));
  const double starts = static_cast<double>(chains) * static_cast<double>(lanes);
  return power * starts * (starts - 1) / 2 + starts * b * (1 - power) / (1 - a);
}

double multiply_add_flops(std::int64_t steps) {
  return 2.0 * static_cast<double>(steps) * chains * static_cast<double>(lanes);
}

bool multiply_add_is_fused() {
  // (1 + e)(1 - e) - 1 is -e^2 exactly; rounded in between it is 0. The volatile reads keep it for the run time.
  volatile float above = 1 + 0x1p-20F, below = 1 - 0x1p-20F;
  const Vector product = filled(above), factor = filled(below);
  const Vector result = product * factor + filled(-1);
  return result[0] != 0;
}

}  // namespace assay::scenarios::machine
