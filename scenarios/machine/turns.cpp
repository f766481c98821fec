#include "scenarios/machine/turns.hpp"

#include <algorithm>
#include <chrono>
#include <limits>

namespace assay::scenarios::machine {

std::vector<double> shortest_in_turns(const std::vector<std::function<void()>>& works, int turns) {
  using Clock = std::chrono::steady_clock;  // one call a sample: nothing to be counted, so also inside a benchmark
  std::vector<double> shortest(works.size(), std::numeric_limits<double>::infinity());
  for (int turn = 0; turn < turns; ++turn)
    for (std::size_t i = 0; i < works.size(); ++i) {
      const auto begin = Clock::now();
      works[i]();
      shortest[i] = std::min(shortest[i], std::chrono::duration<double, std::nano>(Clock::now() - begin).count());
    }
  return shortest;
}

}  // namespace assay::scenarios::machine
