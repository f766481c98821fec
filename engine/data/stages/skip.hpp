#pragma once
#include "engine/data/stage.hpp"

namespace assay::engine {

/// All but the first `count` elements.
class SkipStage final : public Stage {
 public:
  /// Throws std::invalid_argument where `count` is negative.
  SkipStage(StagePtr input, std::int64_t count);

  std::int64_t count() const { return count_; }
  std::string describe() const override { return "skip " + std::to_string(count_); }
  std::string identity() const override { return count_ == 0 ? "" : describe(); }
  StagePtr with_inputs(std::vector<StagePtr> inputs) const override;
  std::unique_ptr<StageIterator> make_iterator(const IteratorContext& context) const override;

 private:
  std::int64_t count_;
};

}  // namespace assay::engine
