#pragma once
#include <optional>

#include "engine/data/stage.hpp"

namespace assay::engine {

/// How elements are put out of order: from a buffer that holds the next `buffer` of them, one drawn at random.
struct ShuffleWay {
  std::int64_t buffer = 1;
  std::optional<std::uint64_t> seed{};  // equal seeds, equal orders; left out: this stage's own, from the reader's seed
  bool reshuffle = true;                // another order in every epoch
};

class ShuffleStage final : public Stage {
 public:
  /// Throws std::invalid_argument where the buffer is not above 0.
  ShuffleStage(const StagePtr& input, ShuffleWay way);

  const ShuffleWay& way() const { return way_; }
  std::string describe() const override;
  std::string identity() const override { return way_.buffer == 1 ? "" : describe(); }
  StagePtr over(std::vector<StagePtr> inputs) const override;
  std::unique_ptr<Cursor> open(const Opening& opening) const override;

 private:
  ShuffleWay way_;
};

/// A shuffle and the repeat after it in one, in their order: while the buffer is emptied at the end of an epoch, the
/// next epoch's elements take the places that get free. What data.fuse_shuffle_repeat makes of the two.
class ShuffleRepeatStage final : public Stage {
 public:
  ShuffleRepeatStage(const StagePtr& input, ShuffleWay way, std::int64_t times);

  std::string describe() const override;
  std::string identity() const override;
  StagePtr over(std::vector<StagePtr> inputs) const override;
  std::unique_ptr<Cursor> open(const Opening& opening) const override;

 private:
  ShuffleWay way_;
  std::int64_t times_;
};

/// An epoch of an input in a random order that follows from seed and epoch alone.
class Shuffled {
 public:
  /// `opening` is the stage's.
  Shuffled(const ShuffleWay& way, const Opening& opening, std::uint64_t epoch, std::unique_ptr<Cursor> input);

  /// Whether there was room for an element of the input, and one. An error of the input waits until the buffer is
  /// empty.
  bool fill();
  /// One at random out, its place free; false at the end. Throws what the input threw.
  bool draw(Element& out);
  /// Whether the input has given all that it gives.
  bool filled() const { return input_->ended(); }
  /// Whether draw() will throw in the end.
  bool failed() const { return error_ != nullptr; }

 private:
  std::unique_ptr<Cursor> input_;
  std::uint64_t seed_, stream_, drawn_ = 0;
  std::size_t most_, held_ = 0;
  std::vector<Element> elements_;  // as many as were ever held
  std::exception_ptr error_;
};

}  // namespace assay::engine
