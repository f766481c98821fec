#include "tests/engine/kernels/processor.hpp"

#include <fstream>
#include <string>

namespace assay::engine::testing {

std::optional<bool> processor_has(DType dtype) {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with("flags")) continue;
    const auto has = [&](const char* flag) { return line.find(flag) != std::string::npos; };
    if (dtype == DType::float16) return has(" avx512_fp16");
    return has(" avx512_bf16") || has(" avx_ne_convert");
  }
  return std::nullopt;
}

}  // namespace assay::engine::testing
