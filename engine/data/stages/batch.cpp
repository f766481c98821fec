#include "engine/data/stages/batch.hpp"

#include <limits>
#include <stdexcept>

#include "engine/data/stages/batch_builder.hpp"

namespace assay::engine {
namespace {

class BatchIterator final : public StageIterator {
 public:
  BatchIterator(const IteratorContext& context, std::unique_ptr<StageIterator> input, std::int64_t rows,
                bool drop_remainder)
      : StageIterator(context),
        location_(context.description),
        input_(std::move(input)),
        rows_(rows),
        drop_remainder_(drop_remainder) {}

 protected:
  bool produce(Element& out) override {
    BatchBuilder builder(location_, out, rows_);
    while (builder.count() < rows_ && input_->next(in_)) builder.add(in_, index_++);
    if (builder.count() == 0 || (drop_remainder_ && builder.count() < rows_)) return false;
    builder.finish();
    return true;
  }

 private:
  const std::string location_;
  std::unique_ptr<StageIterator> input_;
  const std::int64_t rows_;
  const bool drop_remainder_;
  Element in_;
  std::uint64_t index_ = 0;
};

}  // namespace

BatchStage::BatchStage(StagePtr input, std::int64_t rows, bool drop_remainder)
    : Stage({std::move(input)}), rows_(rows), drop_remainder_(drop_remainder) {
  constexpr std::int64_t max_rows = std::numeric_limits<std::int32_t>::max();
  if (rows <= 0) throw std::invalid_argument("batch: expected 1 row or more, got " + std::to_string(rows));
  if (rows > max_rows) {
    throw std::invalid_argument("batch: expected at max_rows " + std::to_string(max_rows) + " rows, got " +
                                std::to_string(rows));
  }
}

std::string BatchStage::describe() const {
  return "batch " + std::to_string(rows_) + (drop_remainder_ ? ", remainder dropped" : "");
}

StagePtr BatchStage::with_inputs(std::vector<StagePtr> inputs) const {
  return std::make_shared<BatchStage>(std::move(inputs.front()), rows_, drop_remainder_);
}

std::unique_ptr<StageIterator> BatchStage::make_iterator(const IteratorContext& context) const {
  return std::make_unique<BatchIterator>(context, make_input_iterator(context), rows_, drop_remainder_);
}

}  // namespace assay::engine
