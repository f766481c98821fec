#pragma once
#include "engine/data/stages/batch.hpp"
#include "engine/data/stages/map.hpp"

namespace assay::engine {

/// A map and the batch after it as one stage: data.fuse_map_batch makes it. The map writes into the rows of the batch.
/// Each of several threads makes a whole batch.
class MapBatchStage final : public Stage {
 public:
  MapBatchStage(std::shared_ptr<const MapStage> map, std::shared_ptr<const BatchStage> batch);

  std::string describe() const override;
  std::string identity() const override { return joined(batch_->identity(), map_->identity()); }
  StagePtr with_inputs(std::vector<StagePtr> inputs) const override;
  std::unique_ptr<StageIterator> make_iterator(const IteratorContext& context) const override;
  std::size_t min_fields() const override { return map_->min_fields(); }
  bool prefetches() const override { return map_->prefetches(); }

 private:
  std::shared_ptr<const MapStage> map_;
  std::shared_ptr<const BatchStage> batch_;
};

}  // namespace assay::engine
