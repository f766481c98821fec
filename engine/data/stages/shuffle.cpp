#include "engine/data/stages/shuffle.hpp"

#include <stdexcept>
#include <utility>

#include "engine/core/random.hpp"

namespace assay::engine {
namespace {

class ShuffleCursor final : public Cursor {
 public:
  ShuffleCursor(const Opening& opening, std::unique_ptr<Cursor> input, const ShuffleWay& way)
      : Cursor(opening), shuffled_(way, opening, opening.epoch, std::move(input)) {}

 protected:
  bool produce(Element& out) override {
    while (shuffled_.fill()) continue;
    return shuffled_.draw(out);
  }

 private:
  Shuffled shuffled_;
};

}  // namespace

Shuffled::Shuffled(const ShuffleWay& way, const Opening& opening, std::uint64_t epoch, std::unique_ptr<Cursor> input)
    : input_(std::move(input)),
      seed_(way.seed.value_or(opening.reading.options.seed ^ opening.random_key)),
      stream_(way.reshuffle ? epoch + 1 : 0),
      most_(static_cast<std::size_t>(way.buffer)) {}

bool Shuffled::fill() {
  if (held_ == most_ || input_->ended()) return false;
  if (held_ == elements_.size()) elements_.emplace_back();
  try {
    if (!input_->next(elements_[held_])) return false;
  } catch (const Cancelled&) {
    throw;
  } catch (...) {
    error_ = std::current_exception();
    return false;
  }
  ++held_;
  return true;
}

bool Shuffled::draw(Element& out) {
  if (held_ == 0 && error_) std::rethrow_exception(std::exchange(error_, nullptr));
  if (held_ == 0) return false;
  // A 32-bit word times the bound, its upper half: off uniform by less than the bound / 2^32.
  const auto chosen = static_cast<std::size_t>(std::uint64_t{Philox::block(seed_, stream_, drawn_++)[0]} * held_ >> 32);
  elements_[chosen].swap(out);
  elements_[chosen].swap(elements_[--held_]);
  return true;
}

ShuffleStage::ShuffleStage(const StagePtr& input, ShuffleWay way)
    : Stage({input}, way.buffer == 1 ? input->randomness() : input->randomness().drawing()), way_(way) {
  if (way.buffer <= 0)
    throw std::invalid_argument("shuffle: expected a buffer of 1 element or more, got " + std::to_string(way.buffer));
}

std::string ShuffleStage::describe() const {
  return "shuffle " + std::to_string(way_.buffer) + (way_.seed ? ", seed " + std::to_string(*way_.seed) : "") +
         (way_.reshuffle ? "" : ", the same order in every epoch");
}

StagePtr ShuffleStage::over(std::vector<StagePtr> inputs) const {
  return std::make_shared<ShuffleStage>(inputs.front(), way_);
}

std::unique_ptr<Cursor> ShuffleStage::open(const Opening& opening) const {
  return std::make_unique<ShuffleCursor>(opening, open_input(opening), way_);
}

}  // namespace assay::engine
