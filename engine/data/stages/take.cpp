#include "engine/data/stages/take.hpp"

#include <stdexcept>

namespace assay::engine {
namespace {

class TakeIterator final : public StageIterator {
 public:
  TakeIterator(const IteratorContext& context, std::unique_ptr<StageIterator> input, std::int64_t count)
      : StageIterator(context), input_(std::move(input)), left_(count) {}

 protected:
  bool produce(Element& out) override { return left_ > 0 && (--left_, input_->next(out)); }

 private:
  std::unique_ptr<StageIterator> input_;
  std::int64_t left_;
};

}  // namespace

TakeStage::TakeStage(StagePtr input, std::int64_t count) : Stage({std::move(input)}), count_(count) {
  if (count < 0) throw std::invalid_argument("take: expected 0 elements or more, got " + std::to_string(count));
}

StagePtr TakeStage::with_inputs(std::vector<StagePtr> inputs) const {
  return std::make_shared<TakeStage>(std::move(inputs.front()), count_);
}

std::unique_ptr<StageIterator> TakeStage::make_iterator(const IteratorContext& context) const {
  return std::make_unique<TakeIterator>(context, make_input_iterator(context), count_);
}

}  // namespace assay::engine
