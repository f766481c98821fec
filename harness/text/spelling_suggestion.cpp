#include "harness/text/spelling_suggestion.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

namespace assay::harness {
namespace {

/// Optimal string alignment distance: insert, delete, replace and swap of neighbours cost 1 each.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before(b.size() + 1), last(b.size() + 1), now(b.size() + 1);
  std::iota(last.begin(), last.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    now[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      now[j] = std::min({last[j] + 1, now[j - 1] + 1, last[j - 1] + (a[i - 1] == b[j - 1] ? 0U : 1U)});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) now[j] = std::min(now[j], before[j - 2] + 1);
    }
    std::swap(before, last);
    std::swap(last, now);
  }
  return last[b.size()];
}

}  // namespace

std::string spelling_suggestion(std::string_view wrong, std::span<const std::string> candidates) {
  std::string best;
  // Fewer changes than `wrong` has letters: else any other name of one or two letters would be near.
  std::size_t best_distance = std::min(std::max<std::size_t>(2, wrong.size() / 3) + 1, wrong.size());
  for (const auto& candidate : candidates) {
    const bool part = wrong.size() >= 3 && candidate.find(wrong) != std::string::npos;
    const std::size_t distance = part ? 1 : edit_distance(wrong, candidate);
    if (distance < best_distance) {
      best = candidate;
      best_distance = distance;
    }
  }
  return best;
}

std::string unknown_name(std::string_view what, std::string_view wrong, std::span<const std::string> candidates) {
  std::string message = "unknown " + std::string(what) + " '" + std::string(wrong) + "'";
  if (const auto near = spelling_suggestion(wrong, candidates); !near.empty())
    return message + "; did you mean '" + near + "'?";
  message += "; there are:";
  for (const auto& candidate : candidates) message += " " + candidate;
  return message;
}

}  // namespace assay::harness
