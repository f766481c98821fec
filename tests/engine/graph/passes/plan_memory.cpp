#include "engine/graph/passes/plan_memory.hpp"

#include "engine/core/random.hpp"
#include "tests/catch.hpp"

using namespace assay::engine;

namespace {

bool lie_apart(const Buffer& a, const Buffer& b) {
  return a.offset + a.bytes <= b.offset || b.offset + b.bytes <= a.offset;
}

bool needed_at_once(const Buffer& a, const Buffer& b) { return a.first <= b.last && b.first <= a.last; }

std::vector<Buffer> random_buffers(std::uint64_t seed) {
  std::vector<Buffer> buffers;
  for (std::uint64_t i = 0; i < 40; ++i) {
    const auto first = static_cast<int>(uniform(seed, 0, i) * 60);
    const auto length = static_cast<int>(uniform(seed, 1, i) * 12);
    buffers.push_back({1 + static_cast<std::size_t>(uniform(seed, 2, i) * 5000), first, first + length, 0});
  }
  return buffers;
}

/// No plan can be smaller than what is needed at the busiest step.
std::size_t busiest_step(const std::vector<Buffer>& buffers) {
  std::size_t most = 0;
  for (int step = 0; step < 80; ++step) {
    std::size_t bytes = 0;
    for (const Buffer& b : buffers) bytes += b.first <= step && step <= b.last ? b.bytes : 0;
    most = std::max(most, bytes);
  }
  return most;
}

}  // namespace

TEST_CASE("buffers needed at once lie apart, aligned and inside the arena") {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    auto buffers = random_buffers(seed);
    const std::size_t arena = plan_memory(buffers, true);
    std::size_t total = 0;
    for (std::size_t i = 0; i < buffers.size(); ++i) {
      CHECK(buffers[i].offset % 64 == 0);
      CHECK(buffers[i].offset + buffers[i].bytes <= arena);
      total += (buffers[i].bytes + 63) / 64 * 64;
      for (std::size_t j = 0; j < i; ++j) {
        if (needed_at_once(buffers[i], buffers[j])) CHECK(lie_apart(buffers[i], buffers[j]));
      }
    }
    CHECK(arena >= busiest_step(buffers));
    CHECK(arena < total);
  }
}

TEST_CASE("without sharing every buffer has a place of its own") {
  auto buffers = random_buffers(1);
  plan_memory(buffers, false);
  for (std::size_t i = 0; i < buffers.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) CHECK(lie_apart(buffers[i], buffers[j]));
  }
}

TEST_CASE("two buffers used one after the other share one place, no buffers need no arena") {
  std::vector<Buffer> buffers{{128, 0, 1, 0}, {64, 2, 3, 0}};
  CHECK(plan_memory(buffers, true) == 128);
  CHECK(buffers[0].offset == buffers[1].offset);
  CHECK(plan_memory(buffers, false) == 192);
  std::vector<Buffer> none;
  CHECK(plan_memory(none, true) == 0);
}
