#include "scenarios/machine/turns.hpp"

#include <algorithm>
#include <chrono>
#include <limits>

#include "harness/timing/timer.hpp"

namespace assay::scenarios::machine {

std::vector<double> shortest_in_turns(const std::vector<std::function<void()>>& works, int turns) {
  harness::TimingOptions once;
  once.iterations = 1;
  once.warmup = 0;
  std::vector<double> shortest(works.size(), std::numeric_limits<double>::infinity());
  for (int turn = 0; turn < turns; ++turn)
    for (std::size_t i = 0; i < works.size(); ++i) {
      const auto timing = harness::measure(once, 1, std::chrono::milliseconds{0}, works[i]);
      shortest[i] = std::min(shortest[i], timing.samples.at(0));
    }
  return shortest;
}

}  // namespace assay::scenarios::machine
