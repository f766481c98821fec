#pragma once
#include <cstdint>

namespace assay::engine {

/// Tells the random numbers of one stage from those of every other stage of its pipeline, together with seed, epoch and
/// the index of the element. It consists of the stage's number among the stages that may draw, which are counted inputs
/// first, and of the shards that it reads, so that two replicas do not augment alike. Rewrites keep both, because the
/// stages that they remove draw nothing.
struct Randomness {
  std::uint64_t stages = 0;  // that may draw: this stage and its inputs
  std::uint64_t shards = 0;  // a hash of the shards that it reads; 0 without a shard

  /// The randomness of a stage that draws and reads this one.
  Randomness drawing() const { return {stages + 1, shards}; }
  /// The randomness of one shard of this stage.
  Randomness shard(std::int64_t count, std::int64_t index) const {
    return {stages, mixed(mixed(shards, static_cast<std::uint64_t>(count)), static_cast<std::uint64_t>(index) + 1)};
  }
  /// The randomness of this input and the next one together.
  Randomness beside(const Randomness& next) const { return {stages + next.stages, mixed(shards, next.shards)}; }

  /// What a stage that draws mixes into its seed, where `before` such stages are counted before its inputs. 0 for the
  /// only one of a pipeline without shards.
  std::uint64_t key(std::uint64_t before) const { return stages == 0 ? 0 : mixed(shards, before + stages - 1); }

 private:
  /// A hash that gives 0 for (0, 0): the finalizer of SplitMix64 (Steele, Lea, Flood: "Fast splittable pseudorandom
  /// number generators", OOPSLA 2014), which changes half of the bits where one changes.
  static constexpr std::uint64_t mixed(std::uint64_t one, std::uint64_t other) {
    std::uint64_t bits = one * 0x9E3779B97F4A7C15ULL + other;
    bits = (bits ^ (bits >> 30)) * 0xBF58476D1CE4E5B9ULL;
    bits = (bits ^ (bits >> 27)) * 0x94D049BB133111EBULL;
    return bits ^ (bits >> 31);
  }
};

}  // namespace assay::engine
