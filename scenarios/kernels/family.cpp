#include <cmath>
#include <optional>
#include <sstream>

#include "engine/controls/controls.hpp"
#include "harness/cases/reporter.hpp"
#include "harness/stats/median.hpp"
#include "scenarios/kernels/kernels.hpp"
#include "scenarios/kernels/measured.hpp"

namespace assay::scenarios::kernels {
namespace {

// An impossible share is never printed. A few are the work of others on the machine; many are a mistake in the
// counting.
constexpr double max_impossible_share = 0.25;  // of the sizes

/// The largest relative error over all sizes, and where it was.
struct Worst {
  double value = 0;
  std::string where = "none";
  void note(double found, const std::string& at) {
    if (!(found <= value)) value = found, where = at;  // a NaN is the worst of all
  }
};

void leave_out(const Size& size, const std::string& reason, harness::Reporter& report) {
  report.choose(size.name(), {{"operation", engine::name(size.op)}, {"size", size.label}, {"reason", reason}});
}

[[noreturn]] void refuse(const Worst& error) {
  std::ostringstream text;
  text << error.where << ": relative error " << error.value << " from the reference kernel, expected at most "
       << error_limit << "; the kernel is wrong, and none of its times is worth printing";
  throw std::runtime_error(text.str());
}

/// Nothing where no back end has a kernel: that is said at once.
std::optional<Measured> measured(const Size& size, const harness::Parameters& parameters,
                                 const engine::ControlSet& controls, Worst& error, harness::Reporter& report) {
  try {
    HeldKernel kernel(size, parameters.threads, controls);
    error.note(kernel.error(), size.name());
    return Measured{size,           kernel.info(),    kernel.flops(),
                    kernel.bytes(), kernel.traffic(), measure(kernel, parameters.repetitions)};
  } catch (const engine::Unsupported& reason) {
    leave_out(size, reason.what(), report);
    return std::nullopt;
  }
}

/// The time and the share as samples, what belongs to them as a choice.
void report_one(const Measured& one, harness::Reporter& report) {
  std::vector<double> times;
  times.reserve(one.turns.size());
  for (const Turn& turn : one.turns) times.push_back(turn.time);
  const std::string name = one.size.name();
  report.samples(name, "ns", "lower", times, 1);
  report.samples(name + "/share", "", "higher", one.shares(), 1);
  report.choose(name, {{"operation", engine::name(one.size.op)},
                       {"size", one.size.label},
                       {"kernel", one.info.name},
                       {"threads", one.info.threads},
                       {"fallbacks", one.info.fallbacks},
                       {"flops", one.flops},
                       {"bytes", one.bytes},
                       {"footprint", one.traffic.footprint},
                       {"peak", one.median_of(&Turn::peak)},
                       {"bandwidth", one.median_of(&Turn::bandwidth)},
                       {"walk", one.traffic.walk()}});
}

}  // namespace

void report_family(Family family, const harness::Parameters& parameters, harness::Reporter& report) {
  const auto controls = engine::ControlSet::without(parameters.off);
  const auto sizes = sizes_of(family);
  std::vector<Measured> all;
  Worst error;
  for (const Size& size : sizes)
    if (auto one = measured(size, parameters, controls, error, report)) all.push_back(std::move(*one));
  report.choose("farthest from the reference", {{"size", error.where}, {"error", error.value}});
  if (!report.check("answers equal the reference kernels'", error.value, error_limit)) refuse(error);

  const Peaks best = best_peaks(all);
  std::vector<double> shares;
  auto declined = static_cast<double>(sizes.size() - all.size());
  int impossible = 0;
  for (const Measured& one : all) {
    declined += one.info.fallbacks.empty() ? 0 : 1;
    impossible += trouble_of(one, best) == Trouble::impossible ? 1 : 0;
    if (const auto reason = reason_of(one, best); !reason.empty()) {
      leave_out(one.size, reason, report);
      continue;
    }
    shares.push_back(harness::median(one.shares()));
    report_one(one, report);
  }
  report.check("sizes that seem to be above their roof", impossible,
               std::floor(max_impossible_share * static_cast<double>(sizes.size())));
  if (!shares.empty()) report.value("median_share", "", "higher", harness::median(shares));
  report.value("sizes", "", "", static_cast<double>(sizes.size()));
  report.value("declined", "", "lower", declined);
}

}  // namespace assay::scenarios::kernels
