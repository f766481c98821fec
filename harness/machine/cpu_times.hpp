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

/// The lines "cpu0 …", "cpu1 …" of /proc/stat. Columns that an older kernel lacks, or that are no number, are 0.
CpuTimesByCpu parse_cpu_times(std::string_view proc_stat);

/// Of this moment; empty where /proc/stat cannot be read.
CpuTimesByCpu cpu_times();

/// What passed between two readings, summed over those of `cpus` (all where it is empty) that both readings have: a CPU
/// may come or go in between. A column that fell counts as 0; the kernel lets idle, io_wait and steal fall now and
/// then.
CpuTimes elapsed(const CpuTimesByCpu& before, const CpuTimesByCpu& after, std::span<const int> cpus = {});

/// Share (0 to 1) of the time that passed which the hypervisor gave to others; nullopt where no tick passed.
std::optional<double> steal_share(const CpuTimes& passed);

/// Share (0 to 1) of the time that passed in which the CPUs worked; nullopt where no tick passed.
std::optional<double> busy_share(const CpuTimes& passed);

}  // namespace assay::harness
