#pragma once
#include <functional>
#include <vector>

namespace assay::scenarios::machine {

/// Runs the works one after the other, `turns` times over, and returns the shortest time of each in ns. What disturbs
/// the machine for longer than a turn disturbs all of them, and what is shorter leaves most turns alone: the times of
/// works that are compared with each other belong to the same moments.
std::vector<double> shortest_in_turns(const std::vector<std::function<void()>>& works, int turns);

}  // namespace assay::scenarios::machine
