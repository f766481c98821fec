#include "engine/data/stages/shuffle.hpp"

#include <stdexcept>

#include "engine/core/random.hpp"

namespace assay::engine {
namespace {

class ShuffleCursor final : public Cursor {
 public:
  ShuffleCursor(const Opening& opening, std::unique_ptr<Cursor> input, const ShuffleWay& way)
      : Cursor(opening), input_(std::move(input)), buffer_(way, opening.reading.options, opening.epoch) {}

 protected:
  bool produce(Element& out) override {
    while (!buffer_.full() && input_->next(buffer_.room())) buffer_.keep();
    if (buffer_.empty()) return false;
    buffer_.draw(out);
    return true;
  }

 private:
  std::unique_ptr<Cursor> input_;
  ShuffleBuffer buffer_;
};

}  // namespace

ShuffleBuffer::ShuffleBuffer(const ShuffleWay& way, const ReadOptions& options, std::uint64_t epoch)
    : seed_(way.seed.value_or(options.seed)),
      stream_(way.reshuffle ? epoch + 1 : 0),
      most_(static_cast<std::size_t>(way.buffer)) {}

void ShuffleBuffer::draw(Element& out) {
  // A 32-bit word times the bound, its upper half: off uniform by less than the bound / 2^32.
  const auto chosen = static_cast<std::size_t>(std::uint64_t{Philox::block(seed_, stream_, drawn_++)[0]} * held_ >> 32);
  elements_[chosen].swap(out);
  elements_[chosen].swap(elements_[--held_]);
}

ShuffleStage::ShuffleStage(StagePtr input, ShuffleWay way) : Stage({std::move(input)}), way_(way) {
  if (way.buffer <= 0)
    throw std::invalid_argument("shuffle: expected a buffer of 1 element or more, got " + std::to_string(way.buffer));
}

std::string ShuffleStage::describe() const {
  return "shuffle " + std::to_string(way_.buffer) + (way_.seed ? ", seed " + std::to_string(*way_.seed) : "") +
         (way_.reshuffle ? "" : ", the same order in every epoch");
}

StagePtr ShuffleStage::over(std::vector<StagePtr> inputs) const {
  return std::make_shared<ShuffleStage>(std::move(inputs.front()), way_);
}

std::unique_ptr<Cursor> ShuffleStage::open(const Opening& opening) const {
  return std::make_unique<ShuffleCursor>(opening, open_input(opening), way_);
}

}  // namespace assay::engine
