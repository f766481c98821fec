#include <functional>

#include "engine/data/stages/order.hpp"
#include "engine/data/stages/shuffle.hpp"

namespace assay::engine {
namespace {

/// The epoch that is given out, and the next one, which fills the places that this one leaves: together never more
/// elements than one buffer.
class ShuffleRepeatCursor final : public Cursor {
 public:
  using Open = std::function<std::unique_ptr<Cursor>(std::uint64_t epoch)>;
  ShuffleRepeatCursor(const Opening& opening, const ShuffleWay& way, std::int64_t times, Open open)
      : Cursor(opening), way_(way), times_(times), epoch_(opening.epoch), open_(std::move(open)) {
    now_ = begin(0);
  }

 protected:
  bool produce(Element& out) override {
    while (now_) {
      while (fill(*now_)) continue;
      if (!now_->buffer.empty()) {
        now_->buffer.draw(out);
        fill_next();
        return true;
      }
      if (now_->given_none && times_ == RepeatStage::forever)
        throw PipelineError("shuffle and repeat forever", 0, "its input is empty: it would never give an element");
      ++round_;
      now_ = next_ ? std::move(next_) : begin(round_);
      next_.reset();
    }
    return false;
  }

 private:
  struct Round {
    std::unique_ptr<Cursor> input;
    ShuffleBuffer buffer;
    bool given_none = true;
  };

  std::unique_ptr<Round> begin(std::int64_t round) {
    if (times_ != RepeatStage::forever && round >= times_) return nullptr;
    const std::uint64_t epoch = RepeatStage::epoch_of(epoch_, times_, round);
    return std::make_unique<Round>(Round{open_(epoch), ShuffleBuffer(way_, reading().options, epoch)});
  }

  /// Whether there was room, and an element for it.
  static bool fill(Round& round) {
    if (round.buffer.full() || !round.input->next(round.buffer.room())) return false;
    round.buffer.keep();
    round.given_none = false;
    return true;
  }

  void fill_next() {
    if (!now_->input->ended()) return;
    if (!next_) next_ = begin(round_ + 1);
    if (next_) fill(*next_);
  }

  const ShuffleWay way_;
  const std::int64_t times_;
  const std::uint64_t epoch_;
  const Open open_;
  std::int64_t round_ = 0;
  std::unique_ptr<Round> now_, next_;
};

}  // namespace

ShuffleRepeatStage::ShuffleRepeatStage(StagePtr input, ShuffleWay way, std::int64_t times)
    : Stage({std::move(input)}), way_(way), times_(times) {}

std::string ShuffleRepeatStage::describe() const {
  return RepeatStage(input(), times_).describe() + ", with " + ShuffleStage(input(), way_).describe();
}

std::string ShuffleRepeatStage::identity() const {
  return RepeatStage(input(), times_).identity() + " < " + ShuffleStage(input(), way_).identity();
}

StagePtr ShuffleRepeatStage::over(std::vector<StagePtr> inputs) const {
  return std::make_shared<ShuffleRepeatStage>(std::move(inputs.front()), way_, times_);
}

std::unique_ptr<Cursor> ShuffleRepeatStage::open(const Opening& opening) const {
  return std::make_unique<ShuffleRepeatCursor>(
      opening, way_, times_, [this, opening](std::uint64_t epoch) { return open_input(opening, 0, epoch); });
}

}  // namespace assay::engine
