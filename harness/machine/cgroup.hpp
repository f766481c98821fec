#pragma once
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace assay::harness {

/// The limits of a control group; nullopt for no limit.
struct CgroupLimits {
  std::optional<double> cpus;  // CPU time a second: quota / period
  std::optional<std::uint64_t> memory_bytes;

  bool operator==(const CgroupLimits&) const = default;
};

/// Where one hierarchy of control groups is mounted.
struct CgroupMount {
  std::filesystem::path folder;
  std::string root;                      // the group that the folder shows; "/" unless a container sees only its own
  std::vector<std::string> controllers;  // of version 1; empty for version 2
  bool version_2 = false;

  bool operator==(const CgroupMount&) const = default;
};

/// cpu.max of version 2: "150000 100000" is 1.5, "max 100000" is none.
std::optional<double> parse_cpu_max(std::string_view text);
/// cpu.cfs_quota_us and cpu.cfs_period_us of version 1: a quota of -1 is none.
std::optional<double> parse_cfs_quota(std::string_view quota, std::string_view period);
/// memory.max ("max" is none) or memory.limit_in_bytes (version 1 writes nearly 2^63 for none).
std::optional<std::uint64_t> parse_memory_limit(std::string_view text);
/// The hierarchies among the lines of /proc/self/mountinfo, of both versions.
std::vector<CgroupMount> parse_cgroup_mounts(std::string_view proc_self_mountinfo);

/// The tightest limits from the process's groups (the text of /proc/self/cgroup) up to where the hierarchies are
/// mounted, of both versions.
CgroupLimits cgroup_limits(std::string_view proc_self_cgroup, const std::vector<CgroupMount>& mounts);

}  // namespace assay::harness
