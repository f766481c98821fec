#pragma once
#include <cstdint>
#include <span>
#include <vector>

namespace assay::scenarios::machine {

/// Rows of the matrices whose product gives a rate: large enough for every core, small enough for a test (12 MiB in
/// float32).
constexpr std::int64_t matmul_side = 1024;

/// work / ns for each time: operations a ns are GOP/s, bytes a ns GB/s.
inline std::vector<double> rates(double work, std::span<const double> nanoseconds) {
  std::vector<double> result;
  for (const double time : nanoseconds) result.push_back(work / time);
  return result;
}

}  // namespace assay::scenarios::machine
