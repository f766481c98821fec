// The program `assay_kernels`, which `./assay kernels` starts: the scenario's operations under Google Benchmark's own
// flags.
#include "scenarios/kernels/kernels.hpp"

int main(int argc, char** argv) { return assay::scenarios::kernels::benchmark_main(argc, argv); }
