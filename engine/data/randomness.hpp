#pragma once
#include <cstdint>

namespace assay::engine {

/// What sets the random numbers of a stage apart from those of every other one of its pipeline, beside seed, epoch and
/// the element's index: its number among the stages that may draw some (the inputs' before its own), and the shards
/// that it reads, so that two replicas do not augment alike. Rewrites keep both: what they take away draws nothing.
struct Randomness {
  std::uint64_t stages = 0;  // that may draw: the stage and all that it reads
  std::uint64_t shards = 0;  // of all that it reads; 0 without

  /// Of a stage that draws and reads what has this one.
  Randomness drawing() const { return {stages + 1, shards}; }
  /// Of one shard.
  Randomness shard(std::int64_t count, std::int64_t index) const {
    return {stages, mixed(mixed(shards, static_cast<std::uint64_t>(count)), static_cast<std::uint64_t>(index) + 1)};
  }
  /// Of several inputs side by side.
  Randomness beside(const Randomness& next) const { return {stages + next.stages, mixed(shards, next.shards)}; }

  /// What a stage that draws mixes into its seed, where `before` such stages are counted before what it reads. 0 for
  /// the only one of a pipeline without shards.
  std::uint64_t key(std::uint64_t before) const { return stages == 0 ? 0 : mixed(shards, before + stages - 1); }

 private:
  /// (0, 0) gives 0. The finalizer of SplitMix64 (Steele, Lea, Flood: "Fast splittable pseudorandom number generators",
  /// OOPSLA 2014), which changes half of the bits for any that changes.
  static constexpr std::uint64_t mixed(std::uint64_t one, std::uint64_t other) {
    std::uint64_t bits = one * 0x9E3779B97F4A7C15ULL + other;
    bits = (bits ^ (bits >> 30)) * 0xBF58476D1CE4E5B9ULL;
    bits = (bits ^ (bits >> 27)) * 0x94D049BB133111EBULL;
    return bits ^ (bits >> 31);
  }
};

}  // namespace assay::engine
