#pragma once
#include "engine/data/stage.hpp"

namespace assay::engine {

/// Elements of equal shapes as the rows of one.
class BatchStage final : public Stage {
 public:
  /// Throws std::invalid_argument unless `rows` is above 0 and below 2^31.
  BatchStage(StagePtr input, std::int64_t rows, bool drop_remainder);

  std::int64_t rows() const { return rows_; }
  bool drop_remainder() const { return drop_remainder_; }

  std::string describe() const override;
  StagePtr over(std::vector<StagePtr> inputs) const override;
  std::unique_ptr<Cursor> open(const Opening& opening) const override;

 private:
  std::int64_t rows_;
  bool drop_remainder_;
};

}  // namespace assay::engine
