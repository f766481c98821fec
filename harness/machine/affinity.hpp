#pragma once
#include <vector>

namespace assay::harness {

/// The CPUs in this process's affinity mask, ascending. Throws std::runtime_error where the kernel does not tell.
std::vector<int> allowed_cpus();

}  // namespace assay::harness
