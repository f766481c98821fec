#include "harness/machine/cgroup.hpp"

#include <unistd.h>

#include <fstream>

#include "tests/catch.hpp"

using namespace assay::harness;
namespace fs = std::filesystem;

namespace {

/// A folder of its own that goes away with the test.
class Hierarchy {
 public:
  Hierarchy() : root(fs::temp_directory_path() / ("assay-cgroup-" + std::to_string(getpid()))) {
    fs::create_directories(root);
  }
  ~Hierarchy() { fs::remove_all(root); }
  void write(const fs::path& file, const std::string& text) const {
    fs::create_directories((root / file).parent_path());
    std::ofstream(root / file) << text;
  }
  fs::path root;
};

}  // namespace

TEST_CASE("cpu.max is quota over period") {
  CHECK_FALSE(parse_cpu_max("max 100000\n"));
  CHECK(parse_cpu_max("150000 100000\n").value() == 1.5);
  CHECK_FALSE(parse_cpu_max(""));
  CHECK_FALSE(parse_cpu_max("150000 0"));
  CHECK_FALSE(parse_cpu_max("-1 100000"));
  CHECK_FALSE(parse_cpu_max("150000 100000 7"));
  CHECK_FALSE(parse_cpu_max("99999999999999999999 100000"));
}

TEST_CASE("the quota of version 1 is -1 for none") {
  CHECK_FALSE(parse_cfs_quota("-1\n", "100000\n"));
  CHECK(parse_cfs_quota("50000\n", "100000\n").value() == 0.5);
}

TEST_CASE("a memory limit is a number of bytes, max, or the largest number that version 1 can write") {
  CHECK_FALSE(parse_memory_limit("max\n"));
  CHECK_FALSE(parse_memory_limit("9223372036854771712\n"));
  CHECK_FALSE(parse_memory_limit("18446744073709551615\n"));
  CHECK_FALSE(parse_memory_limit("-1\n"));
  CHECK(parse_memory_limit("2147483648\n").value() == 2147483648U);
}

TEST_CASE("mounts of both versions are found, whatever their order, names and other options") {
  const auto mounts = parse_cgroup_mounts(
      "22 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw\n"
      "31 23 0:28 / /sys/fs/cgroup ro - tmpfs tmpfs ro,mode=755\n"
      "33 31 0:30 /docker/ab /sys/fs/cgroup/cpu,cpuacct ro,nosuid shared:9 master:2 - cgroup cgroup rw,cpuacct,cpu\n"
      "34 31 0:31 / /mnt/my\\040groups\\134 rw - cgroup cgroup rw,memory\n"
      "41 31 0:38 / /sys/fs/cgroup/unified rw,relatime - cgroup2 none rw,nsdelegate\n"
      "cut off - cgroup\n"
      "42 31 0:39 / /cgroup - cgroup\n");
  REQUIRE(mounts.size() == 3);
  CHECK(mounts[0] == CgroupMount{"/sys/fs/cgroup/cpu,cpuacct", "/docker/ab", {"rw", "cpuacct", "cpu"}, false});
  CHECK(mounts[1].folder == "/mnt/my groups\\");
  CHECK(mounts[2] == CgroupMount{"/sys/fs/cgroup/unified", "/", {}, true});
}

TEST_CASE("the tightest limit on the way up counts, in version 2") {
  const Hierarchy cgroup;
  cgroup.write("cpu.max", "max 100000");
  cgroup.write("slice/cpu.max", "150000 100000");
  cgroup.write("slice/job:1/cpu.max", "400000 100000");
  cgroup.write("slice/job:1/memory.max", "1000000");
  cgroup.write("slice/memory.max", "max");
  const auto limits = cgroup_limits("0::/slice/job:1\n", {{cgroup.root, "/", {}, true}});
  CHECK(limits.cpus.value() == 1.5);
  CHECK(limits.memory_bytes.value() == 1000000U);
}

TEST_CASE("version 1 has a hierarchy for each set of controllers, named in any order") {
  const Hierarchy cgroup;
  cgroup.write("cpu,cpuacct/docker/cpu.cfs_quota_us", "200000");
  cgroup.write("cpu,cpuacct/docker/cpu.cfs_period_us", "100000");
  cgroup.write("memory/memory.limit_in_bytes", "500000");  // the group itself lies outside of what a container sees
  const std::vector<CgroupMount> mounts{{cgroup.root / "cpu,cpuacct", "/", {"rw", "cpu", "cpuacct"}, false},
                                        {cgroup.root / "memory", "/", {"rw", "memory"}, false}};
  for (const auto* controllers : {"cpu,cpuacct", "cpuacct,cpu", "cpu", "name=x,cpu"}) {
    INFO(controllers);
    const auto limits = cgroup_limits("5:memory:/docker\n4:" + std::string{controllers} + ":/docker\n0::/\n", mounts);
    CHECK(limits.cpus.value() == 2.0);
    CHECK(limits.memory_bytes.value() == 500000U);
  }
}

TEST_CASE("a hybrid machine has limits in both versions, and the tighter one counts") {
  const Hierarchy cgroup;
  cgroup.write("cpu/job/cpu.cfs_quota_us", "300000");
  cgroup.write("cpu/job/cpu.cfs_period_us", "100000");
  cgroup.write("unified/job/cpu.max", "100000 100000");
  const std::vector<CgroupMount> mounts{{cgroup.root / "cpu", "/", {"cpu"}, false},
                                        {cgroup.root / "unified", "/", {}, true}};
  CHECK(cgroup_limits("3:cpu:/job\n0::/job\n", mounts).cpus.value() == 1.0);
  CHECK(cgroup_limits("3:cpu:/job\n0::/\n", mounts).cpus.value() == 3.0);
}

TEST_CASE("a container that sees its own group alone finds it at the mount") {
  const Hierarchy cgroup;
  cgroup.write("cpu.cfs_quota_us", "50000");
  cgroup.write("cpu.cfs_period_us", "100000");
  cgroup.write("inner/cpu.cfs_quota_us", "25000");
  cgroup.write("inner/cpu.cfs_period_us", "100000");
  const std::vector<CgroupMount> mounts{{cgroup.root, "/docker/ab", {"cpu"}, false}};
  CHECK(cgroup_limits("4:cpu:/docker/ab/inner\n", mounts).cpus.value() == 0.25);
  CHECK(cgroup_limits("4:cpu:/docker/abc\n", mounts).cpus.value() == 0.5);  // another container's name begins like it
  CHECK(cgroup_limits("4:cpu:/../../elsewhere\n", mounts).cpus.value() == 0.5);
  CHECK(cgroup_limits("", mounts).cpus.value() == 0.5);  // a sandbox that does not list its groups
}

TEST_CASE("no hierarchy, no limit") {
  CHECK(cgroup_limits("0::/\n", {}) == CgroupLimits{});
  CHECK(cgroup_limits("0::/\n", {{"/nonexistent", "/", {}, true}}) == CgroupLimits{});
  CHECK(cgroup_limits("not a line of cgroups\n", {{"/nonexistent", "/", {"cpu"}, false}}) == CgroupLimits{});
}
