// The program `assay_kernels`, which `./assay kernels` starts: the scenario's operations under Google Benchmark's own
// flags.
#include "harness/machine/environment.hpp"
#include "scenarios/kernels/kernels.hpp"

namespace {

void clear_environment(int, char**, char** environment) {
  assay::harness::clear_own_environment(environment, "BENCHMARK_");
}
// See scenarios/main.cpp.
[[gnu::section(".preinit_array"), gnu::used]] void (*const before_libraries)(int, char**, char**) = clear_environment;

}  // namespace

int main(int argc, char** argv) { return assay::scenarios::kernels::benchmark_main(argc, argv); }
