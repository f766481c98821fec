#include "harness/machine/memory.hpp"

#include <unistd.h>

#include <fstream>

#include "tests/catch.hpp"

using namespace assay::harness;
namespace fs = std::filesystem;

namespace {
constexpr auto meminfo = "MemTotal:       24683728 kB\nMemFree:        23000000 kB\nSwapTotal:       2048 kB\n";
}

TEST_CASE("memory fields are in bytes") {
  CHECK(parse_memory_field(meminfo, "SwapTotal").value() == 2048U * 1024);
  CHECK_FALSE(parse_memory_field(meminfo, "Swap"));
  CHECK_FALSE(parse_memory_field("MemTotal: plenty kB\n", "MemTotal"));
  CHECK_FALSE(parse_memory_field("MemTotal:\nMemTotal -\n", "MemTotal"));
  CHECK_FALSE(parse_memory_field("MemTotal: -1 kB\n", "MemTotal"));
  CHECK_FALSE(parse_memory_field("MemTotal: 18014398509481984 kB\n", "MemTotal"));  // 2^64 bytes
  CHECK_FALSE(parse_memory_total("MemTotal: 18014398509481983 kB\n"));              // rounded up, it would be 2^64
}

TEST_CASE("the total is a whole number of GiB, whatever the kernel kept for itself") {
  CHECK(parse_memory_total(meminfo).value() == std::uint64_t{24} << 30);
  CHECK(parse_memory_total("MemTotal: 24683000 kB\n").value() == std::uint64_t{24} << 30);
  CHECK(parse_memory_total("MemTotal: 1048576 kB\n").value() == std::uint64_t{1} << 30);
}

TEST_CASE("memory blocks that are online are counted, and only by a size that makes sense") {
  const fs::path root = fs::temp_directory_path() / ("assay-memory-" + std::to_string(getpid()));
  const auto write = [&root](const fs::path& file, const std::string& text) {
    fs::create_directories((root / file).parent_path());
    std::ofstream(root / file) << text;
  };
  write("memory0/online", "1\n");
  write("memory1/online", "0\n");
  write("memory7/online", "1\n");
  write("power/control", "auto\n");
  write("block_size_bytes", "8000000\n");  // hexadecimal: 128 MiB
  CHECK(memory_total(root).value() == std::uint64_t{2} << 27);
  for (const auto* size : {"", "0", "8000000x", "ffffffffffffffff", "fffffffffffffffff"}) {
    INFO(size);
    write("block_size_bytes", size);
    CHECK(memory_total(root) == memory_total("/nonexistent"));
  }
  fs::remove_all(root);
}

TEST_CASE("this machine has memory") { CHECK(memory_total().value() > 0); }
