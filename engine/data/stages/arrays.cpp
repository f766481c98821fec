#include "engine/data/stages/arrays.hpp"

#include <zlib.h>

#include <cstdio>
#include <stdexcept>

namespace assay::engine {
namespace {

class ArraysIterator final : public StageIterator {
 public:
  ArraysIterator(const IteratorContext& context, const std::vector<Tensor>& arrays)
      : StageIterator(context), rows_(arrays[0].shape()[0]) {
    for (const Tensor& array : arrays) {
      const Shape row(array.shape().dims().subspan(1));
      columns_.push_back({array.dtype(), row, array.type().bytes() / static_cast<std::size_t>(rows_), array.data()});
    }
  }

 protected:
  bool produce(Element& out) override {
    if (row_ == rows_) return false;
    out.resize(columns_.size());
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      Column& column = columns_[i];
      out[i].borrow(column.dtype, column.row, column.bytes, column.next);
      column.next += column.bytes;
    }
    ++row_;
    return true;
  }

 private:
  struct Column {
    DType dtype;
    Shape row;
    std::size_t bytes;
    const std::byte* next;
  };
  std::vector<Column> columns_;
  std::int64_t rows_, row_ = 0;
};

}  // namespace

ArraysStage::ArraysStage(std::vector<Tensor> arrays) : Stage({}), arrays_(std::move(arrays)) {
  if (arrays_.empty()) throw std::invalid_argument("arrays: expected 1 tensor or more, got none");
  if (arrays_.size() > Element::max_fields) {
    throw std::invalid_argument("arrays: an element may have at most " + std::to_string(Element::max_fields) +
                                " tensors, got " + std::to_string(arrays_.size()));
  }
  for (const Tensor& array : arrays_) {
    if (array.shape().rank() == 0) throw std::invalid_argument("arrays: expected tensors with rows, got a scalar");
    if (array.shape()[0] != arrays_[0].shape()[0]) {
      throw std::invalid_argument("arrays: expected the same number of rows in each, got the shapes " +
                                  to_string(arrays_[0].shape()) + " and " + to_string(array.shape()));
    }
  }
  if (arrays_[0].shape()[0] == 0) throw std::invalid_argument("arrays: expected 1 row or more, got none");
}

std::string ArraysStage::describe() const {
  std::string text = "arrays";
  for (const Tensor& array : arrays_) text += " " + std::string(name(array.dtype())) + " " + to_string(array.shape());
  return text;
}

std::string ArraysStage::identity() const {
  uLong sum = crc32(0, nullptr, 0);
  for (const Tensor& array : arrays_)
    sum = crc32_z(sum, reinterpret_cast<const Bytef*>(array.data()), array.type().bytes());
  std::array<char, 16> text{};
  std::snprintf(text.data(), text.size(), " %08lx", sum);
  return describe() + text.data();
}

std::unique_ptr<StageIterator> ArraysStage::make_iterator(const IteratorContext& context) const {
  return std::make_unique<ArraysIterator>(context, arrays_);
}

}  // namespace assay::engine
