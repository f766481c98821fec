#include "engine/core/storage.hpp"

#include <algorithm>
#include <cstdint>

#include "tests/catch.hpp"

using namespace assay::engine;

TEST_CASE("storage is aligned to 64 bytes and counted") {
  const StorageAllocations before = storage_allocations();
  for (const std::size_t bytes : {1, 63, 64, 1000}) {
    const auto storage = make_storage(bytes);
    CHECK(reinterpret_cast<std::uintptr_t>(storage->data()) % 64 == 0);
    CHECK(storage->bytes() == bytes);
  }
  const StorageAllocations after = storage_allocations();
  CHECK(after.count - before.count == 4);
  CHECK(after.bytes - before.bytes == 1 + 63 + 64 + 1000);
}

TEST_CASE("storage moves, and an empty one takes nothing") {
  Storage first(16);
  std::byte* const data = first.data();
  const StorageAllocations before = storage_allocations();
  const Storage second = std::move(first);
  const Storage empty(0);
  CHECK(second.data() == data);
  CHECK(empty.data() == nullptr);
  CHECK(storage_allocations() == before);
}

TEST_CASE("storage is cleared where asked") {
  const auto storage = make_storage(257, true);
  CHECK(std::all_of(storage->data(), storage->data() + 257, [](std::byte byte) { return byte == std::byte{0}; }));
}
