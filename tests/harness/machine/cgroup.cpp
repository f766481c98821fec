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
}

TEST_CASE("the quota of version 1 is -1 for none") {
  CHECK_FALSE(parse_cfs_quota("-1\n", "100000\n"));
  CHECK(parse_cfs_quota("50000\n", "100000\n").value() == 0.5);
}

TEST_CASE("a memory limit is a number of bytes, max, or the largest number that version 1 can write") {
  CHECK_FALSE(parse_memory_limit("max\n"));
  CHECK_FALSE(parse_memory_limit("9223372036854771712\n"));
  CHECK(parse_memory_limit("2147483648\n").value() == 2147483648U);
}

TEST_CASE("the tightest limit on the way up counts, in version 2") {
  const Hierarchy cgroup;
  cgroup.write("cpu.max", "max 100000");
  cgroup.write("slice/cpu.max", "150000 100000");
  cgroup.write("slice/job:1/cpu.max", "400000 100000");
  cgroup.write("slice/job:1/memory.max", "1000000");
  cgroup.write("slice/memory.max", "max");
  const auto limits = cgroup_limits("0::/slice/job:1\n", cgroup.root);
  CHECK(limits.cpus.value() == 1.5);
  CHECK(limits.memory_bytes.value() == 1000000U);
}

TEST_CASE("version 1 has a hierarchy for each controller") {
  const Hierarchy cgroup;
  cgroup.write("cpu,cpuacct/docker/cpu.cfs_quota_us", "200000");
  cgroup.write("cpu,cpuacct/docker/cpu.cfs_period_us", "100000");
  cgroup.write("memory/memory.limit_in_bytes", "500000");  // the group itself lies outside of what a container sees
  const auto limits = cgroup_limits("5:memory:/docker\n4:cpu,cpuacct:/docker\n0::/\n", cgroup.root);
  CHECK(limits.cpus.value() == 2.0);
  CHECK(limits.memory_bytes.value() == 500000U);
}

TEST_CASE("no hierarchy, no limit") {
  CHECK(cgroup_limits("0::/\n", "/nonexistent") == CgroupLimits{});
  CHECK(cgroup_limits("not a line of cgroups\n", "/nonexistent") == CgroupLimits{});
}
