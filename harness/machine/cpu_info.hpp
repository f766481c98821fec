#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace assay::harness {

/// What /proc/cpuinfo says of the first processor and stays the same from boot to boot: no clock reading, no microcode.
struct CpuInfo {
  std::string vendor, model;
  long long family = -1, model_number = -1, stepping = -1;  // -1: not said
  std::vector<std::string> features;                        // sorted; only those that kernels choose by
  bool hypervisor = false;                                  // runs in a virtual machine, as far as the CPU tells
};

/// x86 ("flags"), ARM ("Features", implementer and part numbers) and RISC-V ("isa") texts.
CpuInfo parse_cpu_info(std::string_view proc_cpuinfo);

}  // namespace assay::harness
