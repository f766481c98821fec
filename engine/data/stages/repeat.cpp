#include "engine/data/stages/repeat.hpp"

#include <functional>
#include <stdexcept>

namespace assay::engine {
namespace {

class RepeatIterator final : public StageIterator {
 public:
  using Open = std::function<std::unique_ptr<StageIterator>(std::int64_t round)>;
  RepeatIterator(const IteratorContext& context, std::int64_t times, Open open)
      : StageIterator(context), times_(times), open_(std::move(open)) {}

 protected:
  bool produce(Element& out) override {
    while (times_ == RepeatStage::forever || round_ < times_) {
      if (!input_) input_ = open_(round_);
      if (input_->next(out)) {
        empty_ = false;
        return true;
      }
      if (empty_ && times_ == RepeatStage::forever)
        throw PipelineError("repeat forever", 0, "its input is empty, so that it would never give an element");
      input_.reset();
      empty_ = true;
      ++round_;
    }
    return false;
  }

 private:
  const std::int64_t times_;
  const Open open_;
  std::unique_ptr<StageIterator> input_;
  std::int64_t round_ = 0;
  bool empty_ = true;
};

}  // namespace

RepeatStage::RepeatStage(StagePtr input, std::int64_t times) : Stage({std::move(input)}), times_(times) {
  if (times <= 0 && times != forever)
    throw std::invalid_argument("repeat: expected 1 time or more, or -1 for an endless repeat, got " +
                                std::to_string(times));
}

std::uint64_t RepeatStage::epoch_of(std::uint64_t epoch, std::int64_t times, std::int64_t round) {
  constexpr std::uint64_t many = std::uint64_t{1} << 32;  // no reader gets that far
  return epoch * (times == forever ? many : static_cast<std::uint64_t>(times)) + static_cast<std::uint64_t>(round);
}

std::string RepeatStage::describe() const {
  return times_ == forever ? "repeat forever" : "repeat " + std::to_string(times_);
}

StagePtr RepeatStage::with_inputs(std::vector<StagePtr> inputs) const {
  return std::make_shared<RepeatStage>(std::move(inputs.front()), times_);
}

std::unique_ptr<StageIterator> RepeatStage::make_iterator(const IteratorContext& context) const {
  return std::make_unique<RepeatIterator>(context, times_, [this, context](std::int64_t round) {
    return make_input_iterator(context, 0, epoch_of(context.epoch, times_, round));
  });
}

}  // namespace assay::engine
