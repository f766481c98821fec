#include "engine/graph/passes/plan_memory.hpp"

#include <algorithm>
#include <numeric>

#include "engine/core/storage.hpp"

namespace assay::engine {
namespace {

std::size_t aligned(std::size_t bytes) {
  return (bytes + Storage::alignment - 1) / Storage::alignment * Storage::alignment;
}

bool needed_at_once(const Buffer& a, const Buffer& b) { return a.first <= b.last && b.first <= a.last; }

}  // namespace

std::size_t plan_memory(std::vector<Buffer>& buffers, bool share) {
  std::vector<std::size_t> order(buffers.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  if (share)
    std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) { return buffers[a].bytes > buffers[b].bytes; });

  std::size_t arena = 0;
  std::vector<std::size_t> placed;  // by offset
  for (const std::size_t i : order) {
    Buffer& buffer = buffers[i];
    std::size_t offset = 0;
    for (const std::size_t other : placed) {
      const Buffer& there = buffers[other];
      if (share && !needed_at_once(buffer, there)) continue;
      if (share && offset + aligned(buffer.bytes) <= there.offset) break;
      offset = std::max(offset, there.offset + aligned(there.bytes));
    }
    buffer.offset = offset;
    arena = std::max(arena, offset + aligned(buffer.bytes));
    placed.insert(std::ranges::upper_bound(placed, offset, {}, [&](std::size_t p) { return buffers[p].offset; }), i);
  }
  return arena;
}

}  // namespace assay::engine
