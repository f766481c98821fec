#include <cmath>
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

// An impossible share is never printed. A few are the work of others on the machine; many are a mistake in the
// counting.
constexpr double most_impossible = 0.25;  // of the sizes

void leave_out(const Size& size, const std::string& reason, harness::Reporter& report) {
  report.choose(size.name(), {{"operation", engine::name(size.op)}, {"size", size.label}, {"reason", reason}});
}

/// Numbers of one size: the time and the share as samples, what belongs to them as a choice. Returns the share; nothing
/// is reported where it is impossible.
double report_size(const Size& size, HeldKernel& kernel, const std::vector<Turn>& turns, harness::Reporter& report) {
  std::vector<double> times, shares, peaks, bandwidths;
  for (const Turn& turn : turns) {
    times.push_back(turn.time);
    shares.push_back(speed_of(turn, kernel.flops(), kernel.bytes()).share());
    peaks.push_back(turn.peak);
    bandwidths.push_back(turn.bandwidth);
  }
  const double share = harness::median(shares);
  if (!(share <= share_limit)) {
    std::ostringstream reason;
    reason << "impossible: " << share
           << " of the roof; other work took the processors away while the roof was measured";
    leave_out(size, reason.str(), report);
    return share;
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
  return share;
}

[[noreturn]] void refuse(const Worst& error) {
  std::ostringstream text;
  text << error.where << ": relative error " << error.value << " from the reference kernel, expected at most "
       << error_limit << "; the kernel is wrong, and none of its times is worth printing";
  throw std::runtime_error(text.str());
}

}  // namespace

void report_family(Family family, const harness::Parameters& parameters, harness::Reporter& report) {
  const auto controls = engine::ControlSet::without(parameters.off);
  const auto sizes = sizes_of(family);
  const auto count = static_cast<double>(sizes.size());
  const auto budget = parameters.budget / static_cast<std::int64_t>(sizes.size());
  std::vector<double> shares;
  Worst error;
  int declined = 0, impossible = 0;
  for (const Size& size : sizes) {
    try {
      HeldKernel kernel(size, parameters.threads, controls);
      declined += kernel.info().fallbacks.empty() ? 0 : 1;
      error.note(kernel.error(), size.name());
      if (!(error.value <= error_limit)) break;
      const double share = report_size(size, kernel, measure(kernel, parameters.repetitions, budget), report);
      if (share <= share_limit)
        shares.push_back(share);
      else
        ++impossible;
    } catch (const engine::Unsupported& reason) {
      ++declined;
      leave_out(size, reason.what(), report);
    }
  }
  report.choose("farthest from the reference", {{"size", error.where}, {"error", error.value}});
  if (!report.check("answers equal the reference kernels'", error.value, error_limit)) refuse(error);
  report.check("sizes with an impossible share of the roof", impossible, std::floor(most_impossible * count));
  if (!shares.empty()) report.value("median_share", "", "higher", harness::median(shares));
  report.value("sizes", "", "", count);
  report.value("declined", "", "lower", declined);
}

}  // namespace assay::scenarios::kernels
