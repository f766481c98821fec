#pragma once
#include "engine/data/stage.hpp"

namespace assay::engine {

/// Whole epoch after whole epoch of the input, each with a number of its own.
class RepeatStage final : public Stage {
 public:
  static constexpr std::int64_t forever = -1;
  /// Throws std::invalid_argument where `times` is neither above 0 nor `forever`.
  RepeatStage(StagePtr input, std::int64_t times);

  std::int64_t times() const { return times_; }
  /// The input's epoch in repetition `round` of `epoch`.
  static std::uint64_t epoch_of(std::uint64_t epoch, std::int64_t times, std::int64_t round);

  std::string describe() const override;
  std::string identity() const override { return times_ == 1 ? "" : describe(); }
  StagePtr over(std::vector<StagePtr> inputs) const override;
  std::unique_ptr<Cursor> open(const Opening& opening) const override;

 private:
  std::int64_t times_;
};

/// The first `count` elements.
class TakeStage final : public Stage {
 public:
  /// Throws std::invalid_argument where `count` is negative.
  TakeStage(StagePtr input, std::int64_t count);

  std::string describe() const override { return "take " + std::to_string(count_); }
  StagePtr over(std::vector<StagePtr> inputs) const override;
  std::unique_ptr<Cursor> open(const Opening& opening) const override;

 private:
  std::int64_t count_;
};

/// All but the first `count` elements.
class SkipStage final : public Stage {
 public:
  /// Throws std::invalid_argument where `count` is negative.
  SkipStage(StagePtr input, std::int64_t count);

  std::int64_t count() const { return count_; }
  std::string describe() const override { return "skip " + std::to_string(count_); }
  std::string identity() const override { return count_ == 0 ? "" : describe(); }
  StagePtr over(std::vector<StagePtr> inputs) const override;
  std::unique_ptr<Cursor> open(const Opening& opening) const override;

 private:
  std::int64_t count_;
};

/// Every `shards`-th element, from number `index` on: what one of several replicas reads. Every element is in exactly
/// one shard; none is padded or repeated. Stages before it (nearer the source) draw the same random numbers in every
/// shard: a shuffle there has one order, of which each takes its part. Stages after it draw each shard's own.
class ShardStage final : public Stage {
 public:
  /// Throws std::invalid_argument unless 0 <= index < shards.
  ShardStage(const StagePtr& input, std::int64_t shards, std::int64_t index);

  std::int64_t shards() const { return shards_; }
  std::string describe() const override;
  std::string identity() const override { return shards_ == 1 ? "" : describe(); }
  StagePtr over(std::vector<StagePtr> inputs) const override;
  std::unique_ptr<Cursor> open(const Opening& opening) const override;

 private:
  std::int64_t shards_, index_;
};

/// Elements of several pipelines side by side, until the shortest ends.
class ZipStage final : public Stage {
 public:
  /// Throws std::invalid_argument for no input, and for more fields than an element has.
  explicit ZipStage(std::vector<StagePtr> inputs);

  std::string describe() const override { return "zip " + std::to_string(inputs().size()); }
  StagePtr over(std::vector<StagePtr> inputs) const override { return std::make_shared<ZipStage>(std::move(inputs)); }
  std::unique_ptr<Cursor> open(const Opening& opening) const override;
  std::size_t least_fields() const override;
};

/// `block` elements of each of `cycle` inputs in turn; an input that ends makes way for the next one. One fixed order.
class InterleaveStage final : public Stage {
 public:
  /// Throws std::invalid_argument for no input, and where `cycle` or `block` is not above 0.
  InterleaveStage(std::vector<StagePtr> inputs, std::int64_t cycle, std::int64_t block);

  std::string describe() const override;
  StagePtr over(std::vector<StagePtr> inputs) const override;
  std::unique_ptr<Cursor> open(const Opening& opening) const override;

 private:
  std::int64_t cycle_, block_;
};

}  // namespace assay::engine
