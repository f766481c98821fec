#include <stdexcept>

#include "engine/data/stages/order.hpp"

namespace assay::engine {
namespace {

class SkipCursor final : public Cursor {
 public:
  SkipCursor(const Opening& opening, std::unique_ptr<Cursor> input, std::int64_t count)
      : Cursor(opening), input_(std::move(input)), left_(count) {}

 protected:
  bool produce(Element& out) override {
    for (; left_ > 0; --left_) {
      if (!input_->next(out)) return false;
    }
    return input_->next(out);
  }

 private:
  std::unique_ptr<Cursor> input_;
  std::int64_t left_;
};

}  // namespace

SkipStage::SkipStage(StagePtr input, std::int64_t count) : Stage({std::move(input)}), count_(count) {
  if (count < 0) throw std::invalid_argument("skip: expected 0 elements or more, got " + std::to_string(count));
}

StagePtr SkipStage::over(std::vector<StagePtr> inputs) const {
  return std::make_shared<SkipStage>(std::move(inputs.front()), count_);
}

std::unique_ptr<Cursor> SkipStage::open(const Opening& opening) const {
  return std::make_unique<SkipCursor>(opening, open_input(opening), count_);
}

}  // namespace assay::engine
