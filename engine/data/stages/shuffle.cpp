#include "engine/data/stages/shuffle.hpp"

#include <stdexcept>
#include <utility>

#include "engine/core/random.hpp"

namespace assay::engine {
namespace {

class ShuffleIterator final : public StageIterator {
 public:
  ShuffleIterator(const IteratorContext& context, std::unique_ptr<StageIterator> input, const ShuffleOptions& options)
      : StageIterator(context), buffer_(options, context, context.epoch, std::move(input)) {}

 protected:
  bool produce(Element& out) override {
    while (buffer_.add()) continue;
    return buffer_.draw(out);
  }

 private:
  ShuffleBuffer buffer_;
};

}  // namespace

ShuffleBuffer::ShuffleBuffer(const ShuffleOptions& options, const IteratorContext& context, std::uint64_t epoch,
                             std::unique_ptr<StageIterator> input)
    : input_(std::move(input)),
      seed_(options.seed.value_or(context.pipeline.options.seed ^ context.random_key)),
      stream_(options.reshuffle_each_epoch ? epoch + 1 : 0),
      max_size_(static_cast<std::size_t>(options.buffer_size)) {}

bool ShuffleBuffer::add() {
  if (size_ == max_size_ || input_->ended()) return false;
  if (size_ == elements_.size()) elements_.emplace_back();
  try {
    if (!input_->next(elements_[size_])) return false;
  } catch (const Cancelled&) {
    throw;
  } catch (...) {
    error_ = std::current_exception();
    return false;
  }
  ++size_;
  return true;
}

bool ShuffleBuffer::draw(Element& out) {
  if (size_ == 0 && error_) std::rethrow_exception(std::exchange(error_, nullptr));
  if (size_ == 0) return false;
  // The upper half of a random 32-bit word times the size: off uniform by less than size / 2^32.
  const auto chosen = static_cast<std::size_t>(std::uint64_t{Philox::block(seed_, stream_, drawn_++)[0]} * size_ >> 32);
  elements_[chosen].swap(out);
  elements_[chosen].swap(elements_[--size_]);
  return true;
}

ShuffleStage::ShuffleStage(const StagePtr& input, ShuffleOptions options)
    : Stage({input}, options.buffer_size == 1 ? input->randomness() : input->randomness().drawing()),
      options_(options) {
  if (options.buffer_size <= 0)
    throw std::invalid_argument("shuffle: expected a buffer of 1 element or more, got " +
                                std::to_string(options.buffer_size));
}

std::string ShuffleStage::describe() const {
  return "shuffle " + std::to_string(options_.buffer_size) +
         (options_.seed ? ", seed " + std::to_string(*options_.seed) : "") +
         (options_.reshuffle_each_epoch ? "" : ", the same order in every epoch");
}

StagePtr ShuffleStage::with_inputs(std::vector<StagePtr> inputs) const {
  return std::make_shared<ShuffleStage>(inputs.front(), options_);
}

std::unique_ptr<StageIterator> ShuffleStage::make_iterator(const IteratorContext& context) const {
  return std::make_unique<ShuffleIterator>(context, make_input_iterator(context), options_);
}

}  // namespace assay::engine
