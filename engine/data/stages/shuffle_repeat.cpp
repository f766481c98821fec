#include <functional>

#include "engine/data/stages/order.hpp"
#include "engine/data/stages/shuffle.hpp"

namespace assay::engine {
namespace {

/// The epoch that is given out, and the next one, which fills the places that this one leaves: together never more
/// elements than one buffer.
class ShuffleRepeatCursor final : public Cursor {
 public:
  using Begin = std::function<std::unique_ptr<Shuffled>(std::int64_t round)>;
  ShuffleRepeatCursor(const Opening& opening, bool forever, Begin begin)
      : Cursor(opening), forever_(forever), begin_(std::move(begin)), now_(begin_(0)) {}

 protected:
  bool produce(Element& out) override {
    while (now_) {
      while (now_->fill()) continue;
      if (now_->draw(out)) {
        given_none_ = false;
        fill_next();
        return true;
      }
      if (given_none_ && forever_)
        throw PipelineError("shuffle and repeat forever", 0, "its input is empty: it would never give an element");
      if (error_) std::rethrow_exception(error_);
      ++round_;
      now_ = next_ ? std::move(next_) : begin_(round_);
      given_none_ = true;
    }
    return false;
  }

 private:
  /// What goes wrong with the next round waits until this one is given out.
  void fill_next() {
    if (!now_->filled() || now_->failed() || error_) return;
    try {
      if (!next_) next_ = begin_(round_ + 1);
      if (next_) next_->fill();
    } catch (const Cancelled&) {
      throw;
    } catch (...) {
      error_ = std::current_exception();
    }
  }

  const bool forever_;
  const Begin begin_;
  std::int64_t round_ = 0;
  std::unique_ptr<Shuffled> now_, next_;
  bool given_none_ = true;    // of this round
  std::exception_ptr error_;  // of opening the next one
};

}  // namespace

ShuffleRepeatStage::ShuffleRepeatStage(const StagePtr& input, ShuffleWay way, std::int64_t times)
    : Stage({input}, ShuffleStage(input, way).randomness()), way_(way), times_(times) {}

std::string ShuffleRepeatStage::describe() const {
  return RepeatStage(input(), times_).describe() + ", with " + ShuffleStage(input(), way_).describe();
}

std::string ShuffleRepeatStage::identity() const {
  return joined(RepeatStage(input(), times_).identity(), ShuffleStage(input(), way_).identity());
}

StagePtr ShuffleRepeatStage::over(std::vector<StagePtr> inputs) const {
  return std::make_shared<ShuffleRepeatStage>(inputs.front(), way_, times_);
}

std::unique_ptr<Cursor> ShuffleRepeatStage::open(const Opening& opening) const {
  const bool forever = times_ == RepeatStage::forever;
  return std::make_unique<ShuffleRepeatCursor>(
      opening, forever, [this, forever, opening](std::int64_t round) -> std::unique_ptr<Shuffled> {
        if (!forever && round >= times_) return nullptr;
        const std::uint64_t epoch = RepeatStage::epoch_of(opening.epoch, times_, round);
        return std::make_unique<Shuffled>(way_, opening, epoch, open_input(opening, 0, epoch));
      });
}

}  // namespace assay::engine
