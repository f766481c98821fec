#include "engine/data/stages/batch_builder.hpp"

#include <algorithm>
#include <cstring>

#include "engine/data/pipeline_error.hpp"

namespace assay::engine {
namespace {

/// The most bytes that a batch allocates before it has a row for them.
constexpr std::int64_t max_first_bytes = std::int64_t{64} << 20;

Shape batch_of(const Shape& row, std::int64_t rows) {
  std::array<std::int64_t, Shape::max_rank + 1> dims{rows};
  std::copy(row.dims().begin(), row.dims().end(), dims.begin() + 1);
  return Shape(std::span<const std::int64_t>(dims.data(), row.rank() + 1));
}

}  // namespace

void BatchBuilder::make_room(const Element& element, std::uint64_t index) {
  with_location(location_, index, [&] {
    if (count_ == 0)
      begin(element);
    else
      grow();
  });
}

void BatchBuilder::begin(const Element& first) {
  const auto bytes = std::max<std::int64_t>(1, static_cast<std::int64_t>(first.bytes()));
  const std::int64_t room = std::min(rows_, std::max<std::int64_t>(1, max_first_bytes / bytes));
  batch_.resize(first.size());
  for (std::size_t i = 0; i < first.size(); ++i) {
    row_dtype_[i] = first[i].dtype();
    row_shape_[i] = first[i].shape();
    row_[i] = batch_[i].place(row_dtype_[i], batch_of(row_shape_[i], room));
  }
  room_ = room;
}

void BatchBuilder::grow() {
  const std::int64_t room = rows_ - room_ < room_ ? rows_ : 2 * room_;
  for (std::size_t i = 0; i < batch_.size(); ++i) {
    const std::size_t filled = batch_[i].bytes();
    batch_[i].grow_rows(room);
    row_[i] = batch_[i].place(row_dtype_[i], batch_[i].shape()) + filled;
  }
  room_ = room;
}

void BatchBuilder::redirect_to_next_row(Element& element) const {
  for (std::size_t i = 0; i < element.size(); ++i) element[i].redirect(count_ < room_ ? row_[i] : nullptr);
}

void BatchBuilder::copy(std::byte* to, const std::byte* from, std::size_t bytes) {
  // For scalars, which are common, the call of memcpy would be most of the cost.
  switch (bytes) {
    case 4:
      std::memcpy(to, from, 4);
      break;
    case 8:
      std::memcpy(to, from, 8);
      break;
    case 0:
      break;  // the data of an empty tensor may be null, which memcpy does not take
    default:
      std::memcpy(to, from, bytes);
  }
}

void BatchBuilder::finish() {
  if (count_ == room_) return;
  for (Field& field : batch_) field.keep_rows(count_);
}

void BatchBuilder::throw_mismatch(const Element& element, std::uint64_t index) const {
  std::string first;
  for (std::size_t i = 0; i < batch_.size(); ++i)
    first += (first.empty() ? "" : ", ") + std::string(name(row_dtype_[i])) + " " + to_string(row_shape_[i]);
  throw PipelineError(location_, index,
                      "it has the shapes (" + to_string(element) + "), the first of its batch has (" + first +
                          "); give all elements of a batch the same shapes in a map before it");
}

}  // namespace assay::engine
