#include "engine/core/random.hpp"

#include <cmath>
#include <numbers>
#include <utility>

namespace assay::engine {
namespace {

/// Two standard normals from two words.
std::array<float, 2> box_muller(std::uint32_t first, std::uint32_t second) {
  // (word + 1) / 2^32 lies in (0, 1], so that the logarithm is finite; in double, so that the tail is not cut at 5.7.
  const double radius = std::sqrt(-2.0 * std::log((static_cast<double>(first) + 1.0) * 0x1p-32));
  const double angle = 2.0 * std::numbers::pi * static_cast<double>(second) * 0x1p-32;
  return {static_cast<float>(radius * std::cos(angle)), static_cast<float>(radius * std::sin(angle))};
}

/// Calls write(i, value) for every i, four values a block.
template <class Values, class Write>
void by_block(std::size_t count, std::uint64_t seed, std::uint64_t stream, Values&& values, Write&& write) {
  for (std::size_t first = 0; first < count; first += 4) {
    const std::array<float, 4> four = values(Philox::block(seed, stream, first / 4));
    for (std::size_t i = first; i < count && i < first + 4; ++i) write(i, four[i - first]);
  }
}

std::array<float, 4> uniforms(const Philox::Counter& words) {
  return {unit_float(words[0]), unit_float(words[1]), unit_float(words[2]), unit_float(words[3])};
}

std::array<float, 4> normals(const Philox::Counter& words) {
  const auto first = box_muller(words[0], words[1]);
  const auto second = box_muller(words[2], words[3]);
  return {first[0], first[1], second[0], second[1]};
}

/// An integer in [0, bound), unbiased: values past the last whole multiple of the bound are drawn again.
std::uint64_t below(std::uint64_t bound, std::uint64_t seed, std::uint64_t stream, std::uint64_t& block) {
  while (true) {
    const auto words = Philox::block(seed, stream, block++);
    const std::uint64_t value = (static_cast<std::uint64_t>(words[1]) << 32) | words[0];
    const std::uint64_t limit = ~std::uint64_t{0} - (~std::uint64_t{0} % bound);
    if (value < limit) return value % bound;
  }
}

}  // namespace

float uniform(std::uint64_t seed, std::uint64_t stream, std::uint64_t index) {
  return unit_float(Philox::block(seed, stream, index / 4)[index % 4]);
}

float normal(std::uint64_t seed, std::uint64_t stream, std::uint64_t index) {
  return normals(Philox::block(seed, stream, index / 4))[index % 4];
}

void uniform_run_at(std::uint64_t seed, std::uint64_t stream, std::uint64_t first,
                    std::span<float, uniform_run> values) {
  // 16 blocks side by side, each word an array, so that the compiler works on whole vectors.
  constexpr std::size_t lanes = uniform_run / 4;
  std::array<std::array<std::uint32_t, lanes>, 4> words{};
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    const std::uint64_t block = first / 4 + lane;
    words[0][lane] = static_cast<std::uint32_t>(block);
    words[1][lane] = static_cast<std::uint32_t>(block >> 32);
    words[2][lane] = static_cast<std::uint32_t>(stream);
    words[3][lane] = static_cast<std::uint32_t>(stream >> 32);
  }
  Philox::Key key{static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32)};
  for (int round = 0; round < Philox::rounds; ++round) {
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      const Philox::Counter next =
          Philox::round_of({words[0][lane], words[1][lane], words[2][lane], words[3][lane]}, key);
      for (std::size_t word = 0; word < 4; ++word) words[word][lane] = next[word];
    }
    key = Philox::next(key);
  }
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    for (std::size_t word = 0; word < 4; ++word) values[lane * 4 + word] = unit_float(words[word][lane]);
  }
}

void fill_uniform(std::span<float> values, std::uint64_t seed, std::uint64_t stream, float low, float high) {
  by_block(values.size(), seed, stream, uniforms,
           [&](std::size_t i, float value) { values[i] = value * (high - low) + low; });
}

void fill_normal(std::span<float> values, std::uint64_t seed, std::uint64_t stream, float mean, float deviation) {
  by_block(values.size(), seed, stream, normals,
           [&](std::size_t i, float value) { values[i] = value * deviation + mean; });
}

void shuffle(std::span<std::int64_t> values, std::uint64_t seed, std::uint64_t stream) {
  std::uint64_t block = 0;
  for (std::size_t left = values.size(); left > 1; --left) {
    std::swap(values[left - 1], values[below(left, seed, stream, block)]);
  }
}

}  // namespace assay::engine
