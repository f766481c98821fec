#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>

namespace assay::engine {

/// Bytes that tensors live in: 64-byte aligned (a cache line, and the widest vector), not initialised, owned, movable.
class Storage {
 public:
  static constexpr std::size_t alignment = 64;

  Storage() = default;
  explicit Storage(std::size_t bytes);

  std::byte* data() const { return data_.get(); }
  std::size_t bytes() const { return bytes_; }

 private:
  struct Release {
    void operator()(std::byte* data) const;
  };
  std::unique_ptr<std::byte, Release> data_;
  std::size_t bytes_ = 0;
};

/// A new buffer to share; `zero` clears it.
std::shared_ptr<Storage> make_storage(std::size_t bytes, bool zero = false);

/// Storage taken since the start of the process, in all threads; what a replay must not move.
struct StorageAllocations {
  std::uint64_t count = 0;
  std::uint64_t bytes = 0;

  bool operator==(const StorageAllocations&) const = default;
};
StorageAllocations storage_allocations();

}  // namespace assay::engine
