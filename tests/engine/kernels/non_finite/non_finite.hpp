#pragma once
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "tests/catch.hpp"
#include "tests/engine/kernels/run_operation.hpp"

// What each operation does with NaN and infinity, on every back end. The rules stand in docs/nan_and_infinity.md.
namespace assay::engine::testing {

constexpr double qnan = std::numeric_limits<double>::quiet_NaN();
constexpr double inf = std::numeric_limits<double>::infinity();

/// Both NaN, the same infinity, or finite and close: a 16-bit type rounds.
inline bool agrees(double found, double expected) {
  if (std::isnan(expected) || std::isinf(expected)) return std::isnan(expected) ? std::isnan(found) : found == expected;
  return std::fabs(found - expected) <= 1e-2 * std::fabs(expected) + 1e-35;
}

/// Elements that do not agree. With `may_spread`, NaN in place of a number or of an infinity agrees as well.
inline int disagreements(const Values& found, const Values& expected, bool may_spread = false) {
  int count = found.elements.size() == expected.elements.size() ? 0 : 1;
  for (std::size_t i = 0; count < 1 << 20 && i < std::min(found.elements.size(), expected.elements.size()); ++i) {
    const bool spread = may_spread && std::isnan(found.elements[i]);
    count += spread || agrees(found.elements[i], expected.elements[i]) ? 0 : 1;
  }
  return count;
}

/// "reference", "eigen", "onednn", and "dispatch" for what an operation gets by default.
std::vector<const Backend*> all_backends();

/// Runs on every back end that has the operation in these types, on 1 and 2 threads, and checks the outputs against
/// `expected`. Fails where neither the reference nor Eigen has it.
void check_everywhere(const Operation& operation, const std::vector<Values>& in, const std::vector<Values>& expected,
                      const std::string& what);

}  // namespace assay::engine::testing
