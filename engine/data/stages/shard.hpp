#pragma once
#include "engine/data/stage.hpp"

namespace assay::engine {

/// Every `shards`-th element, from element `index` on: what one of several replicas reads. Every element is in exactly
/// one shard; none is padded or repeated. Stages before it (nearer the source) draw the same random numbers in every
/// shard, so that all shards take their parts of one shuffled order. Stages after it draw other numbers in each shard.
class ShardStage final : public Stage {
 public:
  /// Throws std::invalid_argument unless 0 <= index < shards.
  ShardStage(const StagePtr& input, std::int64_t shards, std::int64_t index);

  std::int64_t shards() const { return shards_; }
  std::string describe() const override;
  std::string identity() const override { return shards_ == 1 ? "" : describe(); }
  StagePtr with_inputs(std::vector<StagePtr> inputs) const override;
  std::unique_ptr<StageIterator> make_iterator(const IteratorContext& context) const override;

 private:
  std::int64_t shards_, index_;
};

}  // namespace assay::engine
