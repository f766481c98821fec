#pragma once
#include "harness/cases/parameters.hpp"

namespace assay::scenarios::machine {

/// The threads that the parameter `threads` ("1" or "all") stands for. Throws harness::Skipped where "all" is no more
/// than one, or the build has no threads: the case would repeat the one of a single thread.
int team(const harness::Parameters& parameters);

}  // namespace assay::scenarios::machine
