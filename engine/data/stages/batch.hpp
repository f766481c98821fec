#pragma once
#include "engine/data/stage.hpp"

namespace assay::engine {

/// Stacks elements of equal shapes along a new first axis.
class BatchStage final : public Stage {
 public:
  /// Throws std::invalid_argument where `rows` is below 1 or above 2^31 - 1.
  BatchStage(StagePtr input, std::int64_t rows, bool drop_remainder);

  std::int64_t rows() const { return rows_; }
  bool drop_remainder() const { return drop_remainder_; }

  std::string describe() const override;
  StagePtr with_inputs(std::vector<StagePtr> inputs) const override;
  std::unique_ptr<StageIterator> make_iterator(const IteratorContext& context) const override;

 private:
  std::int64_t rows_;
  bool drop_remainder_;
};

}  // namespace assay::engine
