#pragma once
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

namespace assay::harness {

/// SplitMix64 (Steele, Lea, Flood 2014): the same numbers with every compiler and library.
class SplitMix64 {
 public:
  /// The stream of one group's round: independent of which other groups are run.
  SplitMix64(std::uint64_t seed, std::string_view group, int round) : state_(seed) {
    for (const char c : group) state_ = (next() ^ static_cast<unsigned char>(c));
    state_ = next() ^ static_cast<std::uint64_t>(round);
  }

  std::uint64_t next() {
    std::uint64_t z = state_ += 0x9e3779b97f4a7c15;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }

  /// Uniform in 0..bound-1; numbers of the last, partial block are drawn again.
  std::uint64_t below(std::uint64_t bound) {
    const std::uint64_t excess = (0 - bound) % bound;  // 2^64 mod bound
    while (true)
      if (const std::uint64_t number = next(); number >= excess) return number % bound;
  }

 private:
  std::uint64_t state_;
};

/// Fisher and Yates.
template <class T>
void shuffle(std::vector<T>& list, SplitMix64 draws) {
  for (std::size_t left = list.size(); left > 1; --left) std::swap(list[left - 1], list[draws.below(left)]);
}

}  // namespace assay::harness
