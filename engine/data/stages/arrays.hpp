#pragma once
#include "engine/data/stage.hpp"

namespace assay::engine {

/// The rows of tensors in order, one row an element. The elements borrow the tensors' memory.
class ArraysStage final : public Stage {
 public:
  /// Throws std::invalid_argument where there is no tensor, a scalar, no row, or more tensors than an element may have,
  /// and where the numbers of rows differ.
  explicit ArraysStage(std::vector<Tensor> arrays);

  std::string describe() const override;
  /// Includes a checksum of the values.
  std::string identity() const override;
  StagePtr with_inputs(std::vector<StagePtr>) const override { return std::make_shared<ArraysStage>(arrays_); }
  std::unique_ptr<StageIterator> make_iterator(const IteratorContext& context) const override;
  std::size_t min_fields() const override { return arrays_.size(); }

 private:
  std::vector<Tensor> arrays_;
};

}  // namespace assay::engine
