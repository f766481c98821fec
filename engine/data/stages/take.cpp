#include <stdexcept>

#include "engine/data/stages/order.hpp"

namespace assay::engine {
namespace {

class TakeCursor final : public Cursor {
 public:
  TakeCursor(const Opening& opening, std::unique_ptr<Cursor> input, std::int64_t count)
      : Cursor(opening), input_(std::move(input)), left_(count) {}

 protected:
  bool produce(Element& out) override { return left_ > 0 && (--left_, input_->next(out)); }

 private:
  std::unique_ptr<Cursor> input_;
  std::int64_t left_;
};

}  // namespace

TakeStage::TakeStage(StagePtr input, std::int64_t count) : Stage({std::move(input)}), count_(count) {
  if (count < 0) throw std::invalid_argument("take: expected 0 elements or more, got " + std::to_string(count));
}

StagePtr TakeStage::over(std::vector<StagePtr> inputs) const {
  return std::make_shared<TakeStage>(std::move(inputs.front()), count_);
}

std::unique_ptr<Cursor> TakeStage::open(const Opening& opening) const {
  return std::make_unique<TakeCursor>(opening, open_input(opening), count_);
}

}  // namespace assay::engine
