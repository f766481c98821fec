#include "engine/data/element.hpp"

#include <cstring>
#include <stdexcept>

namespace assay::engine {

std::byte* Field::place_anew(DType dtype, const Shape& shape) {
  dtype_ = dtype;
  shape_ = shape;
  bytes_ = static_cast<std::size_t>(shape.elements()) * size_of(dtype);
  if (!storage_ || storage_->bytes() < bytes_) storage_ = make_storage(bytes_);
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

Tensor Field::tensor() {
  own();
  // Not reused as long as the pipeline lives: another thread may still read the tensor when this one asks who holds it.
  return Tensor({dtype_, shape_, {}}, std::move(storage_));
}

void Field::require(DType wanted) const {
  if (dtype_ == wanted) return;
  throw std::invalid_argument("expected values of " + std::string(name(wanted)) + ", found " +
                              std::string(name(dtype_)) + " " + to_string(shape_));
}

void Element::resize(std::size_t fields) {
  if (fields > most_fields) {
    throw std::invalid_argument("an element has at most " + std::to_string(most_fields) + " tensors, got " +
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
  for (std::size_t i = 0; i < size_; ++i)
    std::memcpy(fields_[i].place(other[i].dtype(), other[i].shape()), other[i].data(), other[i].bytes());
}

void Element::swap(Element& other) {
  const std::size_t fields = std::max(size_, other.size_);
  for (std::size_t i = 0; i < fields; ++i) std::swap(fields_[i], other.fields_[i]);
  std::swap(size_, other.size_);
}

std::string to_string(const Element& element) {
  std::string text;
  for (const Field& field : element)
    text += (text.empty() ? "" : ", ") + std::string(name(field.dtype())) + " " + to_string(field.shape());
  return text;
}

}  // namespace assay::engine
