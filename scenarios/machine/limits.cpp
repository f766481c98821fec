#include "scenarios/machine/limits.hpp"

#include "harness/stats/median.hpp"

namespace assay::scenarios::machine {

PeakLimits peak_limits(const PeakSamples& samples, double flops_a_cycle) {
  std::vector<double> units, shares;
  for (std::size_t i = 0; i < samples.clock.size(); ++i) {
    units.push_back(samples.multiply_add[i] / (samples.clock[i] * flops_a_cycle));
    if (!samples.matmul.empty()) shares.push_back(samples.matmul[i] / samples.multiply_add[i]);
  }
  return {harness::median(units), shares.empty() ? 0 : harness::median(shares)};
}

}  // namespace assay::scenarios::machine
