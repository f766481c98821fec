#include "scenarios/machine/limits.hpp"

#include "harness/stats/median.hpp"

namespace assay::scenarios::machine {

PeakLimits peak_limits(const PeakSamples& samples, double flops_a_cycle, double units) {
  std::vector<double> peaks, busy, loop_shares, matmul_shares;
  for (std::size_t i = 0; i < samples.clock.size(); ++i) {
    const double one_unit = samples.clock[i] * flops_a_cycle;
    peaks.push_back(one_unit * units);
    busy.push_back(samples.multiply_add[i] / one_unit);
    loop_shares.push_back(busy.back() / units);
    if (!samples.matmul.empty()) matmul_shares.push_back(samples.matmul[i] / peaks.back());
  }
  return {harness::median(peaks), harness::median(busy), harness::median(loop_shares),
          matmul_shares.empty() ? 0 : harness::median(matmul_shares)};
}

}  // namespace assay::scenarios::machine
