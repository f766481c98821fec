#pragma once
#include <atomic>
#include <chrono>
#include <cstdint>

namespace assay::engine {

/// Nanoseconds from some fixed moment on.
using ClockFunction = std::int64_t (*)();

inline std::int64_t clock_ns() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

/// A number that any thread may read.
class Counter {
 public:
  /// For a number that one thread at a time adds to.
  void add(std::int64_t amount) {
    value_.store(value_.load(std::memory_order_relaxed) + amount, std::memory_order_relaxed);
  }
  /// For a number that several threads add to at once.
  void add_shared(std::int64_t amount) { value_.fetch_add(amount, std::memory_order_relaxed); }
  void set(std::int64_t value) { value_.store(value, std::memory_order_relaxed); }
  /// Keeps the larger number. One thread at a time.
  void raise_to(std::int64_t value) {
    if (value > get()) set(value);
  }
  std::int64_t get() const { return value_.load(std::memory_order_relaxed); }

 private:
  std::atomic<std::int64_t> value_{0};
};

/// The counters of a stage at one moment, or the difference between two moments. Times in ns.
struct StageCounts {
  std::int64_t elements = 0, pulled = 0, worked = 0, mapped = 0, blocked = 0, found_empty = 0;

  StageCounts operator-(const StageCounts& before) const {
    return {elements - before.elements, pulled - before.pulled,   worked - before.worked,
            mapped - before.mapped,     blocked - before.blocked, found_empty - before.found_empty};
  }
};

/// What a stage has done since its reader began. Times in ns.
struct StageCounters {
  Counter elements;
  Counter pulled;       // time that callers spent in next(): own work, inputs and waiting
  Counter worked;       // own work of a stage that may have threads, summed over them
  Counter mapped;       // calls of the map in `worked`
  Counter blocked;      // time that threads of the stage waited for room in its buffer
  Counter found_empty;  // times that an element was asked for and the buffer was empty
  Counter bytes;        // of the last element

  StageCounts now() const {
    return {elements.get(), pulled.get(), worked.get(), mapped.get(), blocked.get(), found_empty.get()};
  }
};

/// Decides which elements are timed, because reading a clock costs more than a cheap element. It times every element
/// that takes over 2 us, and of cheaper ones one in 16 on average. The distances are random, so that no period of the
/// data is missed. A timed element stands for all since the last one.
class TimingSampler {
 public:
  bool due() { return --left_ <= 0; }
  std::int64_t weight() const { return gap_; }
  void took(std::int64_t ns) {
    constexpr std::int64_t always_timed_ns = 2000;
    state_ = state_ * 6364136223846793005ULL + 1442695040888963407ULL;  // Knuth's MMIX generator
    gap_ = ns > always_timed_ns ? 1 : 1 + static_cast<std::int64_t>(state_ >> 59);
    left_ = gap_;
  }

 private:
  std::int64_t left_ = 1, gap_ = 1;
  std::uint64_t state_ = 1;
};

}  // namespace assay::engine
