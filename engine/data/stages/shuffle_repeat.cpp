#include <functional>

#include "engine/data/stages/repeat.hpp"
#include "engine/data/stages/shuffle.hpp"

namespace assay::engine {
namespace {

/// The epoch that is given out, and the next one, which takes the places that get free. Together they hold no more
/// elements than one buffer.
class ShuffleRepeatIterator final : public StageIterator {
 public:
  using Begin = std::function<std::unique_ptr<ShuffleBuffer>(std::int64_t round)>;
  ShuffleRepeatIterator(const IteratorContext& context, bool forever, Begin begin)
      : StageIterator(context), forever_(forever), begin_(std::move(begin)), now_(begin_(0)) {}

 protected:
  bool produce(Element& out) override {
    while (now_) {
      while (now_->add()) continue;
      if (now_->draw(out)) {
        gave_none_ = false;
        fill_from_next_epoch();
        return true;
      }
      if (gave_none_ && forever_)
        throw PipelineError("shuffle and repeat forever", 0,
                            "its input is empty, so that it would never give an element");
      if (error_) std::rethrow_exception(error_);
      ++round_;
      now_ = next_ ? std::move(next_) : begin_(round_);
      gave_none_ = true;
    }
    return false;
  }

 private:
  /// An error of the next round waits until this one is given out.
  void fill_from_next_epoch() {
    if (!now_->input_ended() || now_->failed() || error_) return;
    try {
      if (!next_) next_ = begin_(round_ + 1);
      if (next_) next_->add();
    } catch (const Cancelled&) {
      throw;
    } catch (...) {
      error_ = std::current_exception();
    }
  }

  const bool forever_;
  const Begin begin_;
  std::int64_t round_ = 0;
  std::unique_ptr<ShuffleBuffer> now_, next_;
  bool gave_none_ = true;     // of this round
  std::exception_ptr error_;  // of opening the next one
};

}  // namespace

ShuffleRepeatStage::ShuffleRepeatStage(const StagePtr& input, ShuffleOptions options, std::int64_t times)
    : Stage({input}, ShuffleStage(input, options).randomness()), options_(options), times_(times) {}

std::string ShuffleRepeatStage::describe() const {
  return RepeatStage(input(), times_).describe() + ", with " + ShuffleStage(input(), options_).describe();
}

std::string ShuffleRepeatStage::identity() const {
  return joined(RepeatStage(input(), times_).identity(), ShuffleStage(input(), options_).identity());
}

StagePtr ShuffleRepeatStage::with_inputs(std::vector<StagePtr> inputs) const {
  return std::make_shared<ShuffleRepeatStage>(inputs.front(), options_, times_);
}

std::unique_ptr<StageIterator> ShuffleRepeatStage::make_iterator(const IteratorContext& context) const {
  const bool forever = times_ == RepeatStage::forever;
  return std::make_unique<ShuffleRepeatIterator>(
      context, forever, [this, forever, context](std::int64_t round) -> std::unique_ptr<ShuffleBuffer> {
        if (!forever && round >= times_) return nullptr;
        const std::uint64_t epoch = RepeatStage::epoch_of(context.epoch, times_, round);
        return std::make_unique<ShuffleBuffer>(options_, context, epoch, make_input_iterator(context, 0, epoch));
      });
}

}  // namespace assay::engine
