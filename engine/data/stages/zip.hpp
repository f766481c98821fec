#pragma once
#include "engine/data/stage.hpp"

namespace assay::engine {

/// Joins the fields of the elements of several pipelines, until the shortest one ends.
class ZipStage final : public Stage {
 public:
  /// Throws std::invalid_argument without an input, and for more fields than an element may have.
  explicit ZipStage(std::vector<StagePtr> inputs);

  std::string describe() const override { return "zip " + std::to_string(inputs().size()); }
  StagePtr with_inputs(std::vector<StagePtr> inputs) const override {
    return std::make_shared<ZipStage>(std::move(inputs));
  }
  std::unique_ptr<StageIterator> make_iterator(const IteratorContext& context) const override;
  std::size_t min_fields() const override;
};

}  // namespace assay::engine
