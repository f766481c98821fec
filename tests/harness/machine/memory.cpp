#include "harness/machine/memory.hpp"

#include "tests/catch.hpp"

using namespace assay::harness;

namespace {
constexpr auto meminfo = "MemTotal:       24683728 kB\nMemFree:        23000000 kB\nSwapTotal:       2048 kB\n";
}

TEST_CASE("memory fields are in bytes") {
  CHECK(parse_memory_field(meminfo, "SwapTotal").value() == 2048U * 1024);
  CHECK_FALSE(parse_memory_field(meminfo, "Swap"));
  CHECK_FALSE(parse_memory_field("MemTotal: plenty kB\n", "MemTotal"));
}

TEST_CASE("the total is a whole number of GiB, whatever the kernel kept for itself") {
  CHECK(parse_memory_total(meminfo).value() == std::uint64_t{24} << 30);
  CHECK(parse_memory_total("MemTotal: 24683000 kB\n").value() == std::uint64_t{24} << 30);
  CHECK(parse_memory_total("MemTotal: 1048576 kB\n").value() == std::uint64_t{1} << 30);
}

TEST_CASE("this machine has memory") { CHECK(memory_total().value() > 0); }
