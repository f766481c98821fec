#include "engine/data/element.hpp"

#include <cstring>
#include <new>
#include <stdexcept>

namespace assay::engine {
namespace {

std::string tensor_text(DType dtype, const Shape& shape) { return std::string(name(dtype)) + " " + to_string(shape); }

}  // namespace

std::optional<std::size_t> bytes_of(DType dtype, const Shape& shape) {
  auto bytes = static_cast<std::int64_t>(size_of(dtype));
  bool empty = false;
  for (const std::int64_t dim : shape.dims()) {
    empty = empty || dim == 0;
    if (dim != 0 && __builtin_mul_overflow(bytes, dim, &bytes)) return std::nullopt;
  }
  return empty ? 0 : static_cast<std::size_t>(bytes);
}

std::byte* Field::place_anew(DType dtype, const Shape& shape) {
  const auto bytes = bytes_of(dtype, shape);
  if (!bytes)
    throw std::invalid_argument("a tensor " + tensor_text(dtype, shape) + " has more bytes than memory has addresses");
  if (!storage_ || storage_->bytes() < *bytes) {
    try {
      storage_ = make_storage(*bytes);
    } catch (const std::bad_alloc&) {
      throw std::runtime_error("there is no memory for a tensor " + tensor_text(dtype, shape) + " of " +
                               std::to_string(*bytes) + " bytes");
    }
  }
  dtype_ = dtype;
  shape_ = shape;
  bytes_ = *bytes;
  data_ = storage_->data();
  return storage_->data();
}

void Field::own() {
  if (data_ == nullptr || (storage_ && data_ == storage_->data())) return;
  const std::byte* const from = data_;
  std::byte* const row = row_;
  row_ = nullptr;
  std::memcpy(place(dtype_, shape_), from, bytes_);
  row_ = row;
}

void Field::keep_rows(std::int64_t rows) {
  bytes_ = bytes_ / static_cast<std::size_t>(shape_[0]) * static_cast<std::size_t>(rows);
  shape_ = shape_.with_rows(rows);
}

void Field::grow_rows(std::int64_t rows) {
  const std::shared_ptr<Storage> before = storage_;  // keeps the values
  const std::byte* const from = data_;
  const std::size_t had = bytes_;
  std::byte* const to = place_anew(dtype_, shape_.with_rows(rows));
  if (to != from && had > 0) std::memcpy(to, from, had);
}

Tensor Field::release() {
  own();
  return Tensor({dtype_, shape_, {}}, std::move(storage_));
}

void Field::require(DType wanted) const {
  if (dtype_ == wanted) return;
  throw std::invalid_argument("expected values of " + std::string(name(wanted)) + ", found " +
                              tensor_text(dtype_, shape_));
}

void Element::resize(std::size_t fields) {
  if (fields > max_fields) {
    throw std::invalid_argument("an element has at most " + std::to_string(max_fields) + " tensors, got " +
                                std::to_string(fields));
  }
  size_ = fields;
}

std::size_t Element::bytes() const {
  std::size_t sum = 0;
  for (const Field& field : *this) sum += field.bytes();
  return sum;
}

void Element::own() {
  for (Field& field : *this) field.own();
}

void Element::copy(const Element& other) {
  resize(other.size());
  for (std::size_t i = 0; i < size_; ++i) {
    std::byte* const to = fields_[i].place(other[i].dtype(), other[i].shape());
    if (other[i].bytes() > 0) std::memcpy(to, other[i].data(), other[i].bytes());
  }
}

void Element::swap(Element& other) {
  const std::size_t fields = std::max(size_, other.size_);
  for (std::size_t i = 0; i < fields; ++i) std::swap(fields_[i], other.fields_[i]);
  std::swap(size_, other.size_);
}

std::string to_string(const Element& element) {
  std::string text;
  for (const Field& field : element) text += (text.empty() ? "" : ", ") + tensor_text(field.dtype(), field.shape());
  return text;
}

}  // namespace assay::engine
