#pragma once
#include "engine/data/stage.hpp"

namespace assay::engine {

/// The first `count` elements.
class TakeStage final : public Stage {
 public:
  /// Throws std::invalid_argument where `count` is negative.
  TakeStage(StagePtr input, std::int64_t count);

  std::string describe() const override { return "take " + std::to_string(count_); }
  StagePtr with_inputs(std::vector<StagePtr> inputs) const override;
  std::unique_ptr<StageIterator> make_iterator(const IteratorContext& context) const override;

 private:
  std::int64_t count_;
};

}  // namespace assay::engine
