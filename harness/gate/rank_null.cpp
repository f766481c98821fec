#include "harness/gate/rank_null.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <stdexcept>
#include <string>

namespace assay::harness {
namespace {

constexpr std::array<double, 5> one_round{1, 1, 2, 1, 1};
constexpr double stage_one_alarms = 0.0472, gate_alarms = 0.01, max_chance_per_benchmark = 0.05, first_look_share = 0.4;
constexpr int first_look = 8;

double tail_of(const std::vector<double>& counts, int at_least) {
  const auto from = std::clamp<std::ptrdiff_t>(at_least, 0, std::ssize(counts));
  const double all = std::accumulate(counts.begin(), counts.end(), 0.0);
  return std::accumulate(counts.begin() + from, counts.end(), 0.0) / all;
}

}  // namespace

std::vector<double> null_counts(int rounds) {
  if (rounds < 1) throw std::domain_error("null_counts: " + std::to_string(rounds) + " rounds; expected 1 or more");
  std::vector<double> counts{1};
  for (int round = 0; round < rounds; ++round) {
    std::vector<double> next(counts.size() + one_round.size() - 1, 0.0);
    for (std::size_t i = 0; i < counts.size(); ++i)
      for (std::size_t j = 0; j < one_round.size(); ++j) next[i + j] += counts[i] * one_round[j];
    counts = std::move(next);
  }
  return counts;
}

double null_tail(int rounds, int at_least) { return tail_of(null_counts(rounds), at_least); }

int min_crossing(int rounds, double chance) {
  const std::vector<double> counts = null_counts(rounds);
  int t = 0;
  while (t <= 4 * rounds && tail_of(counts, t) > chance) ++t;
  return t;
}

// Goes from look to look with the probability of every T that has crossed none.
double chance_of_crossing(std::span<const Look> looks) {
  std::vector<double> open{1};  // open[t]: the probability that T is t and no look was crossed
  int rounds = 0;
  double crossed = 0;
  for (const Look& look : looks) {
    const std::vector<double> counts = null_counts(look.rounds - rounds);
    const double all = std::accumulate(counts.begin(), counts.end(), 0.0);
    std::vector<double> next(open.size() + counts.size() - 1, 0.0);
    for (std::size_t i = 0; i < open.size(); ++i)
      for (std::size_t j = 0; j < counts.size(); ++j) next[i + j] += open[i] * counts[j] / all;
    const auto from = std::min(static_cast<std::size_t>(std::max(0, look.crossing)), next.size());
    crossed += std::accumulate(next.begin() + static_cast<std::ptrdiff_t>(from), next.end(), 0.0);
    next.resize(from);
    open = std::move(next);
    rounds = look.rounds;
    if (open.empty()) break;
  }
  return crossed;
}

ConfirmingCounts confirming_counts(int benchmarks) {
  if (benchmarks < 1) throw std::domain_error("confirming_counts: a gate has at least one benchmark");
  const double allowed = std::min(max_chance_per_benchmark, gate_alarms / (benchmarks * stage_one_alarms));
  ConfirmingCounts counts;
  counts.at_8 = min_crossing(first_look, first_look_share * allowed);
  while (counts.at_16 <= 8 * first_look && chance_of_crossing(counts.looks()) > allowed) ++counts.at_16;
  return counts;
}

FalseAlarmBound false_alarm_bound(int benchmarks, std::span<const Look> looks, const ConfirmingCounts& counts) {
  const double one_way = benchmarks * chance_of_crossing(looks) * chance_of_crossing(counts.looks());
  return {std::min(1.0, one_way), std::min(1.0, 2 * one_way)};
}

}  // namespace assay::harness
