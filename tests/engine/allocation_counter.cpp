#include "tests/engine/allocation_counter.hpp"

#include <dlfcn.h>

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <new>

#include "tests/catch.hpp"

namespace assay::engine::testing {
namespace {

std::atomic<bool> counting{false};
std::atomic<std::uint64_t> ours{0};
std::atomic<std::uint64_t> library{0};

bool from_library(const void* caller) {
  Dl_info info{};
  return dladdr(caller, &info) != 0 && info.dli_fname != nullptr && std::strstr(info.dli_fname, "libdnnl") != nullptr;
}

void* allocate_or_null(std::size_t bytes, std::size_t alignment, const void* caller) {
  if (counting.load(std::memory_order_relaxed)) (from_library(caller) ? library : ours).fetch_add(1);
  const std::size_t rounded = (bytes + alignment - 1) / alignment * alignment;
  void* memory = alignment > alignof(std::max_align_t) ? std::aligned_alloc(alignment, rounded) : std::malloc(bytes);
  return memory != nullptr || bytes != 0 ? memory : std::malloc(1);
}

void* allocate(std::size_t bytes, std::size_t alignment, const void* caller) {
  void* const memory = allocate_or_null(bytes, alignment, caller);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

}  // namespace

void start_counting_allocations() {
  ours = 0;
  library = 0;
  counting = true;
}

AllocationCount stop_counting_allocations() {
  counting = false;
  return {ours.load(), library.load()};
}

}  // namespace assay::engine::testing

// Replace the global operators of this test program: __builtin_return_address names who called.
using assay::engine::testing::allocate;
using assay::engine::testing::allocate_or_null;

void* operator new(std::size_t bytes) { return allocate(bytes, 1, __builtin_return_address(0)); }
void* operator new[](std::size_t bytes) { return allocate(bytes, 1, __builtin_return_address(0)); }
void* operator new(std::size_t bytes, std::align_val_t alignment) {
  return allocate(bytes, static_cast<std::size_t>(alignment), __builtin_return_address(0));
}
void* operator new[](std::size_t bytes, std::align_val_t alignment) {
  return allocate(bytes, static_cast<std::size_t>(alignment), __builtin_return_address(0));
}
void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept {  // std::stable_sort's
  return allocate_or_null(bytes, 1, __builtin_return_address(0));
}
void* operator new[](std::size_t bytes, const std::nothrow_t&) noexcept {
  return allocate_or_null(bytes, 1, __builtin_return_address(0));
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }

TEST_CASE("the allocation counter sees operator new, and only while it counts") {
  using assay::engine::testing::count_allocations;
  int* volatile kept = nullptr;
  const auto one = count_allocations([&] { kept = new int(1); });
  delete kept;
  CHECK(one.ours == 1);
  CHECK(one.library == 0);
  CHECK(count_allocations([] {}).ours == 0);
}
