#include <algorithm>
#include <sstream>

#include "engine/controls/controls.hpp"
#include "harness/cases/reporter.hpp"
#include "harness/stats/median.hpp"
#include "scenarios/kernels/kernels.hpp"
#include "scenarios/kernels/roofs.hpp"
#include "scenarios/kernels/speed.hpp"

namespace assay::scenarios::kernels {
namespace {

// float32 against sums in float64: sums of 2^23 numbers, products of 1024
constexpr double error_limit = 1e-5;

/// The largest of something over all sizes, and where it was.
struct Worst {
  double value = 0;
  std::string where = "none";
  void note(double found, const std::string& at) {
    if (!(found <= value)) value = found, where = at;  // a NaN is the worst of all
  }
};

/// Numbers of one size: the time and the share as samples, what belongs to them as a choice.
double report_size(const Size& size, HeldKernel& kernel, const std::vector<Turn>& turns, harness::Reporter& report) {
  std::vector<double> times, shares, peaks, bandwidths;
  for (const Turn& turn : turns) {
    times.push_back(turn.time);
    shares.push_back(speed_of(turn, kernel.flops(), kernel.bytes()).share());
    peaks.push_back(turn.peak);
    bandwidths.push_back(turn.bandwidth);
  }
  report.samples(size.name(), "ns", "lower", times, 1);
  report.samples(size.name() + "/share", "", "higher", shares, 1);
  report.choose(size.name(), {{"operation", engine::name(size.op)},
                              {"size", size.label},
                              {"kernel", kernel.info().name},
                              {"threads", kernel.info().threads},
                              {"fallbacks", kernel.info().fallbacks},
                              {"flops", kernel.flops()},
                              {"bytes", kernel.bytes()},
                              {"peak", harness::median(peaks)},
                              {"bandwidth", harness::median(bandwidths)},
                              {"walk", walk_like(kernel.written_share()).name}});
  return harness::median(shares);
}

[[noreturn]] void refuse(const std::string& what, const Worst& worst, double limit, const std::string& advice) {
  std::ostringstream text;
  text << worst.where << ": " << what << " " << worst.value << ", expected at most " << limit << "; " << advice;
  throw std::runtime_error(text.str());
}

}  // namespace

void report_family(Family family, const harness::Parameters& parameters, harness::Reporter& report) {
  const auto controls = engine::ControlSet::without(parameters.off);
  std::vector<double> shares;
  Worst error, share;
  int declined = 0;
  const auto sizes = sizes_of(family);
  for (const Size& size : sizes) {
    try {
      HeldKernel kernel(size, parameters.threads, controls);
      declined += kernel.info().fallbacks.empty() ? 0 : 1;
      error.note(kernel.error(), size.name());
      const auto budget = parameters.budget / static_cast<std::int64_t>(sizes.size());
      shares.push_back(report_size(size, kernel, measure(kernel, parameters.repetitions, budget), report));
      share.note(shares.back(), size.name());
    } catch (const engine::Unsupported& reason) {
      ++declined;
      report.choose(size.name(),
                    {{"operation", engine::name(size.op)}, {"size", size.label}, {"reason", reason.what()}});
    }
  }
  report.choose("farthest from the reference", {{"size", error.where}, {"error", error.value}});
  const bool right = report.check("answers equal the reference kernels'", error.value, error_limit);
  const bool possible = report.check("no share of a roof above 1", share.value, share_limit);
  if (!right) refuse("relative error", error, error_limit, "the kernel is wrong: none of its times is worth printing");
  if (!possible)
    refuse("impossible share of the roof", share, share_limit,
           "other work took the processor away while the roof was measured: end it, then run again");
  if (!shares.empty()) report.value("median_share", "", "higher", harness::median(shares));
  report.value("sizes", "", "", static_cast<double>(sizes.size()));
  report.value("declined", "", "lower", declined);
}

}  // namespace assay::scenarios::kernels
