#pragma once
#include "engine/data/stages/batch.hpp"
#include "engine/data/stages/map.hpp"

namespace assay::engine {

/// A map that writes into the rows of its batch: what data.fuse_map_batch makes of a map and a batch. On several
/// threads each makes a whole batch.
class MapBatchStage final : public Stage {
 public:
  MapBatchStage(std::shared_ptr<const MapStage> map, std::shared_ptr<const BatchStage> batch);

  std::string describe() const override;
  std::string identity() const override { return joined(batch_->identity(), map_->identity()); }
  StagePtr over(std::vector<StagePtr> inputs) const override;
  std::unique_ptr<Cursor> open(const Opening& opening) const override;
  std::size_t least_fields() const override { return map_->least_fields(); }
  bool runs_ahead() const override { return map_->runs_ahead(); }

 private:
  std::shared_ptr<const MapStage> map_;
  std::shared_ptr<const BatchStage> batch_;
};

}  // namespace assay::engine
