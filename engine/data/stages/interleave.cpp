#include "engine/data/stages/interleave.hpp"

#include <functional>
#include <stdexcept>

namespace assay::engine {
namespace {

class InterleaveIterator final : public StageIterator {
 public:
  using Open = std::function<std::unique_ptr<StageIterator>(std::size_t input)>;
  InterleaveIterator(const IteratorContext& context, std::size_t inputs, std::size_t cycle, std::int64_t block,
                     Open open)
      : StageIterator(context),
        inputs_(inputs),
        block_(block),
        open_(std::move(open)),
        places_(std::min(cycle, inputs)) {}

 protected:
  bool produce(Element& out) override {
    // A place stays empty once there is no next input. The epoch ends when all places are empty.
    for (std::size_t idle = 0; idle < places_.size();) {
      auto& place = places_[turn_];
      if (!place && next_ < inputs_) place = open_(next_++);
      if (!place) {
        go_on();
        ++idle;
        continue;
      }
      idle = 0;
      if (place->next(out)) {
        if (++given_ == block_) go_on();
        return true;
      }
      place.reset();
      given_ = 0;
    }
    return false;
  }

 private:
  void go_on() {
    turn_ = (turn_ + 1) % places_.size();
    given_ = 0;
  }

  const std::size_t inputs_;
  const std::int64_t block_;
  const Open open_;
  std::vector<std::unique_ptr<StageIterator>> places_;
  std::size_t turn_ = 0;    // the place whose turn it is
  std::size_t next_ = 0;    // the input that is opened next
  std::int64_t given_ = 0;  // elements of this turn
};

}  // namespace

InterleaveStage::InterleaveStage(std::vector<StagePtr> pipelines, std::int64_t cycle, std::int64_t block)
    : Stage(std::move(pipelines)), cycle_(cycle), block_(block) {
  if (inputs().empty()) throw std::invalid_argument("interleave: expected 1 pipeline or more, got none");
  if (cycle <= 0 || block <= 0) {
    throw std::invalid_argument("interleave: expected a cycle and a block of 1 or more, got " + std::to_string(cycle) +
                                " and " + std::to_string(block));
  }
}

std::string InterleaveStage::describe() const {
  return "interleave " + std::to_string(inputs().size()) + ", cycle " + std::to_string(cycle_) + ", block " +
         std::to_string(block_);
}

StagePtr InterleaveStage::with_inputs(std::vector<StagePtr> pipelines) const {
  return std::make_shared<InterleaveStage>(std::move(pipelines), cycle_, block_);
}

std::unique_ptr<StageIterator> InterleaveStage::make_iterator(const IteratorContext& context) const {
  return std::make_unique<InterleaveIterator>(
      context, inputs().size(), static_cast<std::size_t>(cycle_), block_,
      [this, context](std::size_t i) { return make_input_iterator(context, i); });
}

}  // namespace assay::engine
