#include "harness/machine/cgroup.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "harness/machine/read_text.hpp"

namespace assay::harness {
namespace {
namespace fs = std::filesystem;

// a limit of version 1 at or above this is "none": the kernel rounds 2^63 - 1 down to a page
constexpr std::uint64_t no_memory_limit = std::uint64_t{1} << 60;

template <class T>
void tighten(std::optional<T>& limit, const std::optional<T>& other) {
  if (other && (!limit || *other < *limit)) limit = other;
}

// `mount`/`group` and each folder above it up to the mount; a container may not see its own group, only the mount
std::vector<fs::path> folders_up(const fs::path& mount, std::string_view group) {
  std::vector<fs::path> folders;
  for (fs::path inside = fs::path{group}.relative_path(); !inside.empty(); inside = inside.parent_path())
    folders.push_back(mount / inside);
  folders.push_back(mount);
  return folders;
}

void read_version_2(const fs::path& folder, CgroupLimits& limits) {
  if (const auto text = read_text(folder / "cpu.max")) tighten(limits.cpus, parse_cpu_max(*text));
  if (const auto text = read_text(folder / "memory.max")) tighten(limits.memory_bytes, parse_memory_limit(*text));
}

void read_version_1(const fs::path& folder, CgroupLimits& limits) {
  const auto quota = read_text(folder / "cpu.cfs_quota_us");
  const auto period = read_text(folder / "cpu.cfs_period_us");
  if (quota && period) tighten(limits.cpus, parse_cfs_quota(*quota, *period));
  if (const auto text = read_text(folder / "memory.limit_in_bytes"))
    tighten(limits.memory_bytes, parse_memory_limit(*text));
}

struct Membership {
  std::string_view controllers;  // "cpu,cpuacct"; empty for version 2
  std::string_view group;        // "/user.slice"
};

// "4:cpu,cpuacct:/group"; the group itself may hold colons
std::optional<Membership> membership(std::string_view line) {
  const auto first = line.find(':');
  const auto second = first == std::string_view::npos ? first : line.find(':', first + 1);
  if (second == std::string_view::npos) return std::nullopt;
  return Membership{line.substr(first + 1, second - first - 1), trimmed(line.substr(second + 1))};
}

}  // namespace

std::optional<double> parse_cpu_max(std::string_view text) {
  const auto words = words_of(text);
  return words.size() == 2 ? parse_cfs_quota(words[0], words[1]) : std::nullopt;
}

std::optional<double> parse_cfs_quota(std::string_view quota, std::string_view period) {
  const auto numerator = integer_of(quota);
  const auto denominator = integer_of(period);
  if (!numerator || !denominator || *numerator <= 0 || *denominator <= 0) return std::nullopt;
  return static_cast<double>(*numerator) / static_cast<double>(*denominator);
}

std::optional<std::uint64_t> parse_memory_limit(std::string_view text) {
  const auto value = integer_of(text);
  if (!value || *value < 0 || static_cast<std::uint64_t>(*value) >= no_memory_limit) return std::nullopt;
  return static_cast<std::uint64_t>(*value);
}

CgroupLimits cgroup_limits(std::string_view proc_self_cgroup, const fs::path& root) {
  CgroupLimits limits;
  for (const auto line : lines_of(proc_self_cgroup)) {
    const auto member = membership(line);
    if (!member) continue;
    if (member->controllers.empty())
      for (const auto& mount : {root, root / "unified"})
        for (const auto& folder : folders_up(mount, member->group)) read_version_2(folder, limits);
    else
      for (const auto& folder : folders_up(root / member->controllers, member->group)) read_version_1(folder, limits);
  }
  return limits;
}

}  // namespace assay::harness
