#include "engine/data/stages/skip.hpp"

#include <stdexcept>

namespace assay::engine {
namespace {

class SkipIterator final : public StageIterator {
 public:
  SkipIterator(const IteratorContext& context, std::unique_ptr<StageIterator> input, std::int64_t count)
      : StageIterator(context), input_(std::move(input)), left_(count) {}

 protected:
  bool produce(Element& out) override {
    for (; left_ > 0; --left_) {
      if (!input_->next(out)) return false;
    }
    return input_->next(out);
  }

 private:
  std::unique_ptr<StageIterator> input_;
  std::int64_t left_;
};

}  // namespace

SkipStage::SkipStage(StagePtr input, std::int64_t count) : Stage({std::move(input)}), count_(count) {
  if (count < 0) throw std::invalid_argument("skip: expected 0 elements or more, got " + std::to_string(count));
}

StagePtr SkipStage::with_inputs(std::vector<StagePtr> inputs) const {
  return std::make_shared<SkipStage>(std::move(inputs.front()), count_);
}

std::unique_ptr<StageIterator> SkipStage::make_iterator(const IteratorContext& context) const {
  return std::make_unique<SkipIterator>(context, make_input_iterator(context), count_);
}

}  // namespace assay::engine
