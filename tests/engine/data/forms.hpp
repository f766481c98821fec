#pragma once
#include <algorithm>

#include "tests/engine/data/pipelines.hpp"

/// One pipeline in many forms, for tests of errors and of stopping.
namespace assay::engine::testing {

/// A pipeline that gives the elements of its source, perhaps twice, in batches, or in another order.
struct Form {
  Pipeline pipeline;
  std::size_t batch = 1, times = 1;
  bool in_order = true;
};

/// The same work in every form that has threads or state between elements, and without.
inline std::vector<Form> forms(const Pipeline& source, const MapFunction& function) {
  const MapOptions two{.num_parallel_calls = 2};
  const Pipeline mapped = source.map(function, two), first = source.take(10), rest = source.skip(10);
  return {{source.map(function)},
          {source.map(function).prefetch(3)},
          {mapped},
          {source.map(function, {.num_parallel_calls = 4}).prefetch(2)},
          {source.map(function, {.num_parallel_calls = 4, .max_in_flight = 3})},
          {source.prefetch(4).map(function, {.num_parallel_calls = 3}).prefetch(1)},
          {source.map(function, {.num_parallel_calls = autotune}).prefetch()},
          {source.map(function).batch(3), 3},
          {mapped.batch(3).prefetch(2), 3},
          {mapped.prefetch(1).batch(2), 2},
          {source.map(function, {.num_parallel_calls = 4}).shuffle({.buffer_size = 4}), 1, 1, false},
          {source.prefetch(2).map(function).shuffle({.buffer_size = 30}).prefetch(2), 1, 1, false},
          {mapped.shuffle({.buffer_size = 4}).repeat(2).prefetch(2), 1, 2, false},
          {mapped.repeat(2).prefetch(2), 1, 2},
          {Pipeline::interleave({first.map(function, two), rest.map(function, two).prefetch(2)}, 1).prefetch(2)},
          {Pipeline::zip({mapped.prefetch(2), source.prefetch(1)}).prefetch(2)},
          {mapped.cache().batch(3).prefetch(1), 3},
          {mapped.cache().shuffle({.buffer_size = 5}).repeat(2), 1, 2, false}};
}

/// Once for each time, in the order that the form gives.
inline Numbers in_form(const Form& form, const Numbers& once) {
  Numbers result;
  for (std::size_t i = 0; i < form.times; ++i) result.insert(result.end(), once.begin(), once.end());
  if (!form.in_order) std::ranges::sort(result);
  return result;
}

inline Numbers rest_in_form(const Form& form, Reader& reader) {
  Numbers result = rest_of(reader);
  if (!form.in_order) std::ranges::sort(result);
  return result;
}

/// Reads statistics all the time, from a thread of its own.
class Watcher {
 public:
  explicit Watcher(const Reader& reader)
      : thread_([this, &reader](const std::stop_token& stop) {
          while (!stop.stop_requested()) {
            for (const auto& all : {reader.statistics(), reader.epoch_statistics()}) {
              for (const auto& stage : all.stages) seen_ = std::max(seen_.load(), stage.elements);
            }
            std::this_thread::yield();
          }
        }) {}

 private:
  std::atomic<std::int64_t> seen_{0};
  std::jthread thread_;
};

}  // namespace assay::engine::testing
