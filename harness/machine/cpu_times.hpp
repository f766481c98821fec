#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string_view>

namespace assay::harness {

/// What one CPU (or several, summed) spent its time on since boot, in clock ticks of the kernel (USER_HZ). Guest time
/// is in user.
struct CpuTimes {
  std::uint64_t user = 0, nice = 0, system = 0, idle = 0, io_wait = 0, irq = 0, soft_irq = 0, steal = 0;

  std::uint64_t total() const { return user + nice + system + idle + io_wait + irq + soft_irq + steal; }
  bool operator==(const CpuTimes&) const = default;
};

/// By CPU number.
using CpuTimesByCpu = std::map<int, CpuTimes>;

/// The lines "cpu0 …", "cpu1 …" of /proc/stat; columns that an older kernel lacks are 0.
CpuTimesByCpu parse_cpu_times(std::string_view proc_stat);

/// Of this moment; empty where /proc/stat cannot be read.
CpuTimesByCpu cpu_times();

/// Summed over `cpus`; over all where it is empty.
CpuTimes sum(const CpuTimesByCpu& times, std::span<const int> cpus = {});

/// Share (0 to 1) of the time between two readings that the hypervisor gave to others; nullopt where no tick passed.
std::optional<double> steal_share(const CpuTimes& before, const CpuTimes& after);

}  // namespace assay::harness
