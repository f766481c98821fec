#include "harness/gate/gate_statistic.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

#include "harness/stats/median.hpp"

namespace assay::harness {
namespace {

double log_of(double sample) {
  if (!(sample > 0) || !std::isfinite(sample))
    throw std::domain_error("a ratio needs positive samples; found " + std::to_string(sample));
  return std::log(sample);
}

}  // namespace

GateStatistic statistic_of(std::span<const GateRound> rounds, bool higher) {
  GateStatistic result;
  result.rounds = static_cast<int>(rounds.size());
  for (const GateRound& round : rounds)
    for (const double b : {round.b1, round.b2})
      for (const double a : {round.a, round.null_a}) {
        // Equal samples are a tie, whatever the logs round to.
        const double d = a == b ? 0.0 : higher ? log_of(a) - log_of(b) : log_of(b) - log_of(a);
        log_of(a);
        result.positives += d > 0;
        result.negatives += d < 0;
        result.sorted.push_back(d);
      }
  std::sort(result.sorted.begin(), result.sorted.end());
  result.effect = median(result.sorted);
  return result;
}

std::vector<double> null_differences(std::span<const GateRound> rounds, bool higher) {
  std::vector<double> result;
  for (const GateRound& round : rounds) {
    const double z = log_of(round.null_a) - log_of(round.a);
    result.push_back(higher ? -z : z);
  }
  return result;
}

int GateStatistic::at_least(double log_effect) const {
  return static_cast<int>(sorted.end() - std::lower_bound(sorted.begin(), sorted.end(), log_effect));
}

int GateStatistic::at_most(double log_effect) const {
  return static_cast<int>(std::upper_bound(sorted.begin(), sorted.end(), log_effect) - sorted.begin());
}

double GateStatistic::low(int s) const { return sorted.at(static_cast<std::size_t>(s)); }
double GateStatistic::high(int s) const { return sorted.at(sorted.size() - 1 - static_cast<std::size_t>(s)); }

}  // namespace assay::harness
