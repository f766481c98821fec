#include "scenarios/kernels/measured.hpp"

#include <algorithm>
#include <sstream>

#include "harness/stats/median.hpp"
#include "harness/text/format_number.hpp"

namespace assay::scenarios::kernels {
namespace {

using harness::format_number;

// A clock that moves, or wide vectors on all cores at once, take up to a fifth; another process takes half or more.
constexpr double min_share_of_best_peak = 0.7;

}  // namespace

std::vector<double> Measured::shares() const {
  std::vector<double> found;
  found.reserve(turns.size());
  for (const Turn& turn : turns) found.push_back(speed_of(turn, flops, bytes).share());
  return found;
}

bool Measured::possible() const {
  const auto count =
      std::ranges::count_if(turns, [&](const Turn& turn) { return speed_of(turn, flops, bytes).possible(); });
  return 2 * count > std::ssize(turns);
}

double Measured::median_of(double Turn::*member) const {
  std::vector<double> found;
  found.reserve(turns.size());
  for (const Turn& turn : turns) found.push_back(turn.*member);
  return harness::median(found);
}

Peaks best_peaks(const std::vector<Measured>& all) {
  Peaks best;
  for (const Measured& one : all)
    for (const Turn& turn : one.turns) best[one.info.threads] = std::max(best[one.info.threads], turn.peak);
  return best;
}

Trouble trouble_of(const Measured& measured, const Peaks& best) {
  if (measured.median_of(&Turn::peak) < min_share_of_best_peak * best.at(measured.info.threads))
    return Trouble::disturbed;
  return measured.possible() ? Trouble::none : Trouble::impossible;
}

std::string reason_of(const Measured& measured, const Peaks& best) {
  std::ostringstream text;
  switch (trouble_of(measured, best)) {
    case Trouble::none:
      break;
    case Trouble::disturbed:
      text << "disturbed: multiply-adds ran at " << format_number(measured.median_of(&Turn::peak))
           << " GFLOP/s meanwhile, at " << format_number(best.at(measured.info.threads))
           << " in a better moment; end other work, then run again";
      break;
    case Trouble::impossible:
      text << "impossible: " << format_number(harness::median(measured.shares()))
           << " of the roof; other work was in the way while the roof was measured, or the counting is wrong";
      break;
  }
  return text.str();
}

}  // namespace assay::scenarios::kernels
