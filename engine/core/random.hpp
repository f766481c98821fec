#pragma once
#include <array>
#include <cstdint>
#include <span>

namespace assay::engine {

/// Philox4x32-10 (Salmon, Moraes, Dror, Shaw: "Parallel random numbers: as easy as 1, 2, 3", SC11): four random words
/// from a counter and a key. No state, so a value depends on its place alone, never on threads or on order.
struct Philox {
  using Counter = std::array<std::uint32_t, 4>;
  using Key = std::array<std::uint32_t, 2>;

  static constexpr int rounds = 10;

  static constexpr Counter round_of(Counter counter, Key key) {
    const std::uint64_t first = std::uint64_t{0xD2511F53u} * counter[0];
    const std::uint64_t second = std::uint64_t{0xCD9E8D57u} * counter[2];
    return {static_cast<std::uint32_t>(second >> 32) ^ counter[1] ^ key[0], static_cast<std::uint32_t>(second),
            static_cast<std::uint32_t>(first >> 32) ^ counter[3] ^ key[1], static_cast<std::uint32_t>(first)};
  }

  /// The key of the next round: Weyl sequences of the golden ratio and of sqrt(3) - 1.
  static constexpr Key next(Key key) { return {key[0] + 0x9E3779B9u, key[1] + 0xBB67AE85u}; }

  static constexpr Counter block(Counter counter, Key key) {
    for (int round = 0; round < rounds; ++round) {
      counter = round_of(counter, key);
      key = next(key);
    }
    return counter;
  }

  /// The four words of one block of (seed, stream): key from the seed, counter from block (low) and stream (high).
  static constexpr Counter block(std::uint64_t seed, std::uint64_t stream, std::uint64_t index) {
    return block({static_cast<std::uint32_t>(index), static_cast<std::uint32_t>(index >> 32),
                  static_cast<std::uint32_t>(stream), static_cast<std::uint32_t>(stream >> 32)},
                 {static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32)});
  }
};

/// A word as a float32 in [0, 1): its upper 24 bits, all multiples of 2^-24.
constexpr float unit_float(std::uint32_t word) { return static_cast<float>(word >> 8) * 0x1p-24f; }

/// Value `index` of the stream, uniform in [0, 1). Equal to what fill_uniform writes there.
float uniform(std::uint64_t seed, std::uint64_t stream, std::uint64_t index);
/// Value `index` of the stream, standard normal (Box-Muller on the halves of a block).
float normal(std::uint64_t seed, std::uint64_t stream, std::uint64_t index);

/// Uniform values [first, first + uniform_run) at once, several times faster than one by one; `first` is a multiple of
/// it.
constexpr std::int64_t uniform_run = 64;
void uniform_run_at(std::uint64_t seed, std::uint64_t stream, std::uint64_t first,
                    std::span<float, uniform_run> values);

/// values[i] = uniform(seed, stream, i) * (high - low) + low.
void fill_uniform(std::span<float> values, std::uint64_t seed, std::uint64_t stream, float low = 0, float high = 1);
/// values[i] = normal(seed, stream, i) * deviation + mean.
void fill_normal(std::span<float> values, std::uint64_t seed, std::uint64_t stream, float mean = 0,
                 float deviation = 1);

/// Fisher-Yates over the stream; the same seed and stream give the same order on every machine.
void shuffle(std::span<std::int64_t> values, std::uint64_t seed, std::uint64_t stream);

}  // namespace assay::engine
