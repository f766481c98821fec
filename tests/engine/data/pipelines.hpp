#pragma once
#include <atomic>
#include <chrono>
#include <cstdint>
#include <thread>
#include <vector>

#include "engine/core/random.hpp"
#include "engine/data/reader.hpp"

/// What the tests of the pipeline share: small pipelines of numbers.
namespace assay::engine::testing {

using Numbers = std::vector<std::int64_t>;

inline void write_number(Element& out, std::int64_t value) {
  out.resize(1);
  out[0].place<std::int64_t>(Shape{})[0] = value;
}

/// 0, 1, …, count - 1 as int64 scalars.
inline Pipeline numbers(std::int64_t count) {
  return Pipeline::generate(
      "numbers", count, [](std::uint64_t index, Element& out) { write_number(out, static_cast<std::int64_t>(index)); });
}

inline MapFunction times_ten() {
  return {.name = "times ten", .call = [](const Element& in, Element& out, const MapCall&) {
            write_number(out, in[0].item<std::int64_t>() * 10);
          }};
}

/// Throws std::runtime_error("no 7") where the number is 7.
inline MapFunction fails_at(std::int64_t bad) {
  return {.name = "fails", .call = [bad](const Element& in, Element& out, const MapCall&) {
            const auto value = in[0].item<std::int64_t>();
            if (value == bad) throw std::runtime_error("no " + std::to_string(bad));
            write_number(out, value);
          }};
}

/// A random number that follows from the call alone.
inline MapFunction random_numbers() {
  return {.name = "random", .call = [](const Element&, Element& out, const MapCall& call) {
            write_number(out, static_cast<std::int64_t>(uniform(call.random_seed(), call.index, 0) * 1e6F));
          }};
}

inline ReadOptions on_cores(int cores) { return {.seed = 3, .cores = cores}; }

inline ReadOptions without(const std::vector<std::string>& off, int cores = 2) {
  return {.seed = 3, .controls = ControlSet::without(off), .cores = cores};
}

/// The values of all elements of the rest of the epoch, batches flattened.
inline Numbers rest_of(Reader& reader) {
  Numbers result;
  Element element;
  while (reader.next(element)) {
    const auto values = element[0].as<std::int64_t>();
    result.insert(result.end(), values.begin(), values.end());
  }
  return result;
}

inline Numbers read(const Pipeline& pipeline, const ReadOptions& options = on_cores(2)) {
  Reader reader(pipeline, options);
  return rest_of(reader);
}

inline Numbers range(std::int64_t begin, std::int64_t end, std::int64_t step = 1) {
  Numbers result;
  for (std::int64_t i = begin; i < end; i += step) result.push_back(i);
  return result;
}

/// Whether `done()` comes true within so many seconds.
template <class Done>
bool within_seconds(int seconds, Done done) {
  for (int i = 0; i < 1000 * seconds; ++i) {
    if (done()) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return done();
}

template <class Done>
bool within_a_second(Done done) {
  return within_seconds(1, done);
}

}  // namespace assay::engine::testing
