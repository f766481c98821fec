#include "harness/machine/cgroup.hpp"

#include <algorithm>

#include "harness/machine/read_text.hpp"

namespace assay::harness {
namespace {
namespace fs = std::filesystem;

// A limit of version 1 at or above this is "none": the kernel rounds 2^63 - 1 down to a page.
constexpr std::uint64_t no_memory_limit = std::uint64_t{1} << 60;

template <class T>
void tighten(std::optional<T>& limit, const std::optional<T>& other) {
  if (other && (!limit || *other < *limit)) limit = other;
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

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  for (std::size_t begin = 0; begin <= text.size();) {
    const auto end = std::min(text.find(separator, begin), text.size());
    if (end > begin) parts.emplace_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

/// A path of mountinfo, which writes blanks and backslashes as \ and three octal digits.
std::string unescaped(std::string_view text) {
  const auto octal = [](char digit) { return digit >= '0' && digit <= '7'; };
  std::string result;
  while (!text.empty()) {
    const bool escape = text.size() >= 4 && text[0] == '\\' && std::all_of(text.begin() + 1, text.begin() + 4, octal);
    result += escape ? static_cast<char>((text[1] - '0') * 64 + (text[2] - '0') * 8 + (text[3] - '0')) : text[0];
    text.remove_prefix(escape ? 4 : 1);
  }
  return result;
}

struct Membership {
  std::vector<std::string> controllers;  // "cpu", "cpuacct"; empty for version 2
  std::string group;                     // "/user.slice"
};

/// "4:cpu,cpuacct:/group"; the group itself may hold colons.
std::optional<Membership> parse_membership(std::string_view line) {
  const auto first = line.find(':');
  const auto second = first == std::string_view::npos ? first : line.find(':', first + 1);
  if (second == std::string_view::npos) return std::nullopt;
  return Membership{split(line.substr(first + 1, second - first - 1), ','),
                    std::string{trimmed(line.substr(second + 1))}};
}

bool belongs(const Membership& member, const CgroupMount& mount) {
  if (mount.version_2) return member.controllers.empty();
  return std::any_of(member.controllers.begin(), member.controllers.end(), [&mount](const std::string& one) {
    return std::find(mount.controllers.begin(), mount.controllers.end(), one) != mount.controllers.end();
  });
}

/// The group's path below the mount; empty where the mount does not show it.
fs::path path_in(const CgroupMount& mount, const std::string& group) {
  const fs::path inside = fs::path{group}.lexically_normal().lexically_relative(mount.root);
  if (inside.empty() || inside == "." || *inside.begin() == "..") return {};
  return inside;
}

/// The folders from the process's group up to the mount itself, which a container sees even where not its group.
std::vector<fs::path> folders_up(const CgroupMount& mount, const std::vector<Membership>& members) {
  std::vector<fs::path> folders;
  for (const auto& member : members) {
    if (!belongs(member, mount)) continue;
    for (fs::path inside = path_in(mount, member.group); !inside.empty(); inside = inside.parent_path())
      folders.push_back(mount.folder / inside);
  }
  folders.push_back(mount.folder);
  return folders;
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
  const auto value = counter_of(text);
  if (!value || *value >= no_memory_limit) return std::nullopt;
  return value;
}

std::vector<CgroupMount> parse_cgroup_mounts(std::string_view proc_self_mountinfo) {
  std::vector<CgroupMount> mounts;
  for (const auto line : lines_of(proc_self_mountinfo)) {
    // proc(5): id, parent, device, root, mount point, options, any number of optional fields, "-", type, source,
    // options
    const auto words = words_of(line);
    const auto dash = std::find(words.begin(), words.end(), "-");
    if (dash - words.begin() < 6 || words.end() - dash < 4) continue;
    const auto type = dash[1];
    if (type != "cgroup" && type != "cgroup2") continue;
    mounts.push_back({unescaped(words[4]), unescaped(words[3]), {}, type == "cgroup2"});
    if (type == "cgroup") mounts.back().controllers = split(dash[3], ',');
  }
  return mounts;
}

CgroupLimits cgroup_limits(std::string_view proc_self_cgroup, const std::vector<CgroupMount>& mounts) {
  std::vector<Membership> members;
  for (const auto line : lines_of(proc_self_cgroup))
    if (auto member = parse_membership(line)) members.push_back(std::move(*member));
  CgroupLimits limits;
  for (const auto& mount : mounts)
    for (const auto& folder : folders_up(mount, members))
      mount.version_2 ? read_version_2(folder, limits) : read_version_1(folder, limits);
  return limits;
}

}  // namespace assay::harness
