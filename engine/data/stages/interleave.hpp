#pragma once
#include "engine/data/stage.hpp"

namespace assay::engine {

/// Takes `block` elements of each of `cycle` inputs in turn. The next input replaces one that ends. The order is always
/// the same.
class InterleaveStage final : public Stage {
 public:
  /// Throws std::invalid_argument without an input, and where `cycle` or `block` is below 1.
  InterleaveStage(std::vector<StagePtr> inputs, std::int64_t cycle, std::int64_t block);

  std::string describe() const override;
  StagePtr with_inputs(std::vector<StagePtr> inputs) const override;
  std::unique_ptr<StageIterator> make_iterator(const IteratorContext& context) const override;

 private:
  std::int64_t cycle_, block_;
};

}  // namespace assay::engine
