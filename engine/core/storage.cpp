#include "engine/core/storage.hpp"

#include <atomic>
#include <cstring>
#include <new>

namespace assay::engine {
namespace {

std::atomic<std::uint64_t> allocated_count{0};
std::atomic<std::uint64_t> allocated_bytes{0};

}  // namespace

Storage::Storage(std::size_t bytes) : bytes_(bytes) {
  if (bytes == 0) return;
  // Rounded up so that a kernel may read the last vector whole.
  const std::size_t rounded = (bytes + alignment - 1) / alignment * alignment;
  data_.reset(static_cast<std::byte*>(::operator new (rounded, std::align_val_t{alignment})));
  allocated_count.fetch_add(1, std::memory_order_relaxed);
  allocated_bytes.fetch_add(bytes, std::memory_order_relaxed);
}

void Storage::Release::operator()(std::byte* data) const { ::operator delete (data, std::align_val_t{alignment}); }

std::shared_ptr<Storage> make_storage(std::size_t bytes, bool zero) {
  auto storage = std::make_shared<Storage>(bytes);
  if (zero && bytes > 0) std::memset(storage->data(), 0, bytes);
  return storage;
}

StorageAllocations storage_allocations() {
  return {allocated_count.load(std::memory_order_relaxed), allocated_bytes.load(std::memory_order_relaxed)};
}

}  // namespace assay::engine
