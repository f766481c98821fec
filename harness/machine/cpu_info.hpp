#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace assay::harness {

/// What /proc/cpuinfo says about the first processor, without clock rate and microcode, which change from boot to boot.
struct CpuInfo {
  std::string vendor, model;
  long long family = -1, model_number = -1, stepping = -1;  // -1: not said
  std::vector<std::string> features;                        // sorted; only those by which kernels are chosen
  bool hypervisor = false;                                  // the CPU says that it runs in a virtual machine
};

/// x86 ("flags"), ARM ("Features", implementer and part numbers) and RISC-V ("isa") texts.
CpuInfo parse_cpu_info(std::string_view proc_cpuinfo);

}  // namespace assay::harness
