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

/// A number that one thread at a time adds to and any thread reads.
class Counter {
 public:
  void add(std::int64_t amount) {
    value_.store(value_.load(std::memory_order_relaxed) + amount, std::memory_order_relaxed);
  }
  /// The same for a number that several threads add to at once.
  void add_shared(std::int64_t amount) { value_.fetch_add(amount, std::memory_order_relaxed); }
  /// Keeps the larger one; one thread at a time.
  void raise(std::int64_t value) {
    if (value > get()) value_.store(value, std::memory_order_relaxed);
  }
  std::int64_t get() const { return value_.load(std::memory_order_relaxed); }

 private:
  std::atomic<std::int64_t> value_{0};
};

/// The counters of a stage at a moment, or how far they came between two.
struct StageCounts {
  std::int64_t elements = 0, pulled = 0, worked = 0, mapped = 0, blocked = 0, found_empty = 0;

  StageCounts operator-(const StageCounts& before) const {
    return {elements - before.elements, pulled - before.pulled,   worked - before.worked,
            mapped - before.mapped,     blocked - before.blocked, found_empty - before.found_empty};
  }
};

/// What a stage has done since its pipeline is read. Times in ns.
struct StageCounters {
  Counter elements;
  Counter pulled;       // in next(), by whoever asked for an element: own work, input, waiting
  Counter worked;       // own work of stages that have threads, of all of them; mostly a call of the map
  Counter mapped;       // elements of `worked`
  Counter blocked;      // threads of this stage waiting for room in its buffer
  Counter found_empty;  // times that the buffer was empty when an element was asked for
  Counter bytes;        // of the last element

  StageCounts now() const {
    return {elements.get(), pulled.get(), worked.get(), mapped.get(), blocked.get(), found_empty.get()};
  }
};

/// Decides which elements are timed, so that cheap ones do not pay for a clock: all that take over 2 us, of cheaper
/// ones one in 16 on average, at random distances (a fixed one would be blind to, say, every eighth), each standing for
/// the elements since the last.
class Sampler {
 public:
  bool due() { return --left_ <= 0; }
  std::int64_t weight() const { return gap_; }
  void took(std::int64_t ns) {
    constexpr std::int64_t worth_a_clock = 2000;
    state_ = state_ * 6364136223846793005ULL + 1442695040888963407ULL;  // Knuth's MMIX generator
    gap_ = ns > worth_a_clock ? 1 : 1 + static_cast<std::int64_t>(state_ >> 59);
    left_ = gap_;
  }

 private:
  std::int64_t left_ = 1, gap_ = 1;
  std::uint64_t state_ = 1;
};

}  // namespace assay::engine
