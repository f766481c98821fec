#include "engine/data/stages/batch.hpp"

#include <limits>
#include <stdexcept>

#include "engine/data/stages/rows.hpp"

namespace assay::engine {
namespace {

class BatchCursor final : public Cursor {
 public:
  BatchCursor(const Opening& opening, std::unique_ptr<Cursor> input, std::int64_t rows, bool drop_remainder)
      : Cursor(opening), where_(opening.description), input_(std::move(input)), rows_(rows), drop_(drop_remainder) {}

 protected:
  bool produce(Element& out) override {
    RowFiller filler(where_, out, rows_);
    while (filler.count() < rows_ && input_->next(in_)) filler.add(in_, index_++);
    if (filler.count() == 0 || (drop_ && filler.count() < rows_)) return false;
    filler.finish();
    return true;
  }

 private:
  const std::string where_;
  std::unique_ptr<Cursor> input_;
  const std::int64_t rows_;
  const bool drop_;
  Element in_;
  std::uint64_t index_ = 0;
};

}  // namespace

BatchStage::BatchStage(StagePtr input, std::int64_t rows, bool drop_remainder)
    : Stage({std::move(input)}), rows_(rows), drop_remainder_(drop_remainder) {
  constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max();
  if (rows <= 0) throw std::invalid_argument("batch: expected 1 row or more, got " + std::to_string(rows));
  if (rows > most) {
    throw std::invalid_argument("batch: expected at most " + std::to_string(most) + " rows, got " +
                                std::to_string(rows));
  }
}

std::string BatchStage::describe() const {
  return "batch " + std::to_string(rows_) + (drop_remainder_ ? ", remainder dropped" : "");
}

StagePtr BatchStage::over(std::vector<StagePtr> inputs) const {
  return std::make_shared<BatchStage>(std::move(inputs.front()), rows_, drop_remainder_);
}

std::unique_ptr<Cursor> BatchStage::open(const Opening& opening) const {
  return std::make_unique<BatchCursor>(opening, open_input(opening), rows_, drop_remainder_);
}

}  // namespace assay::engine
