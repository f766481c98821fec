#include "engine/data/stages/rows.hpp"

#include <algorithm>
#include <cstring>

#include "engine/data/pipeline_error.hpp"

namespace assay::engine {
namespace {

/// What a batch takes before its size is known to be needed.
constexpr std::int64_t first_bytes = std::int64_t{64} << 20;

Shape batch_of(const Shape& row, std::int64_t rows) {
  std::array<std::int64_t, Shape::max_rank + 1> dims{rows};
  std::copy(row.dims().begin(), row.dims().end(), dims.begin() + 1);
  return Shape(std::span<const std::int64_t>(dims.data(), row.rank() + 1));
}

}  // namespace

void RowFiller::make_room(const Element& element, std::uint64_t index) {
  with_place(where_, index, [&] {
    if (count_ == 0)
      begin(element);
    else
      grow();
  });
}

void RowFiller::begin(const Element& first) {
  const auto bytes = std::max<std::int64_t>(1, static_cast<std::int64_t>(first.bytes()));
  const std::int64_t room = std::min(rows_, std::max<std::int64_t>(1, first_bytes / bytes));
  batch_.resize(first.size());
  for (std::size_t i = 0; i < first.size(); ++i) {
    row_dtype_[i] = first[i].dtype();
    row_shape_[i] = first[i].shape();
    row_[i] = batch_[i].place(row_dtype_[i], batch_of(row_shape_[i], room));
  }
  room_ = room;
}

void RowFiller::grow() {
  const std::int64_t room = rows_ - room_ < room_ ? rows_ : 2 * room_;
  for (std::size_t i = 0; i < batch_.size(); ++i) {
    const std::size_t filled = batch_[i].bytes();
    batch_[i].grow_rows(room);
    row_[i] = batch_[i].place(row_dtype_[i], batch_[i].shape()) + filled;
  }
  room_ = room;
}

void RowFiller::aim(Element& element) const {
  for (std::size_t i = 0; i < element.size(); ++i) element[i].aim(count_ < room_ ? row_[i] : nullptr);
}

void RowFiller::copy(std::byte* to, const std::byte* from, std::size_t bytes) {
  // Scalars are common, and a call of memcpy would be most of their cost.
  switch (bytes) {
    case 4:
      std::memcpy(to, from, 4);
      break;
    case 8:
      std::memcpy(to, from, 8);
      break;
    case 0:
      break;  // memcpy must not be given the null that an empty tensor has
    default:
      std::memcpy(to, from, bytes);
  }
}

void RowFiller::finish() {
  if (count_ == room_) return;
  for (Field& field : batch_) field.keep_rows(count_);
}

void RowFiller::differs(const Element& element, std::uint64_t index) const {
  std::string first;
  for (std::size_t i = 0; i < batch_.size(); ++i)
    first += (first.empty() ? "" : ", ") + std::string(name(row_dtype_[i])) + " " + to_string(row_shape_[i]);
  throw PipelineError(where_, index,
                      "it has the shapes (" + to_string(element) + "), the first of its batch has (" + first +
                          "); elements of a batch must be alike: make them so in a map before it");
}

}  // namespace assay::engine
