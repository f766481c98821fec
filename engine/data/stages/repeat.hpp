#pragma once
#include "engine/data/stage.hpp"

namespace assay::engine {

/// Repeats the input. Every repetition is an epoch of the input with a number of its own.
class RepeatStage final : public Stage {
 public:
  static constexpr std::int64_t forever = -1;
  /// Throws std::invalid_argument unless `times` is above 0 or `forever`.
  RepeatStage(StagePtr input, std::int64_t times);

  std::int64_t times() const { return times_; }
  /// The input's epoch in repetition `round` of `epoch`.
  static std::uint64_t epoch_of(std::uint64_t epoch, std::int64_t times, std::int64_t round);

  std::string describe() const override;
  std::string identity() const override { return times_ == 1 ? "" : describe(); }
  StagePtr with_inputs(std::vector<StagePtr> inputs) const override;
  std::unique_ptr<StageIterator> make_iterator(const IteratorContext& context) const override;

 private:
  std::int64_t times_;
};

}  // namespace assay::engine
