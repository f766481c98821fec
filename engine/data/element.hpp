#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <span>

#include "engine/core/tensor.hpp"

namespace assay::engine {

/// Bytes of such a tensor; none where they are more than memory has addresses.
std::optional<std::size_t> bytes_of(DType dtype, const Shape& shape);

/// One tensor of a pipeline's element. Its memory is kept from one element to the next, so that a pipeline allocates
/// nothing once it runs. What is *borrowed* belongs to a source or a cache and stays valid while the pipeline is read.
class Field {
 public:
  Field() = default;
  Field(const Field&) = delete;
  Field& operator=(const Field&) = delete;
  Field(Field&&) = default;
  Field& operator=(Field&&) = default;

  DType dtype() const { return dtype_; }
  const Shape& shape() const { return shape_; }
  std::size_t bytes() const { return bytes_; }
  const std::byte* data() const { return data_; }
  /// Throws std::invalid_argument, with both, where the element type is another.
  template <class T>
  std::span<const T> as() const {
    require(dtype_of<T>);
    return {reinterpret_cast<const T*>(data_), bytes_ / sizeof(T)};
  }
  template <class T>
  T item() const {
    return as<T>()[0];
  }

  /// Room for a value of this type, not initialised. Throws std::invalid_argument or std::runtime_error, with type and
  /// shape, where memory has none.
  std::byte* place(DType dtype, const Shape& shape) {
    if (dtype != dtype_ || shape != shape_) return place_anew(dtype, shape);
    if (row_ != nullptr) {
      data_ = row_;
      return row_;
    }
    if (!storage_ || storage_->bytes() < bytes_) return place_anew(dtype, shape);
    data_ = storage_->data();
    return storage_->data();
  }
  template <class T>
  std::span<T> place(const Shape& shape) {
    std::byte* const room = place(dtype_of<T>, shape);
    return {reinterpret_cast<T*>(room), bytes_ / sizeof(T)};
  }
  void borrow(DType dtype, const Shape& shape, std::size_t bytes, const std::byte* data) {
    dtype_ = dtype;
    shape_ = shape;
    bytes_ = bytes;
    data_ = data;
  }
  /// Copies what is borrowed.
  void own();
  /// Sends the next value of the present type into `row` (of a batch); null ends that.
  void aim(std::byte* row) { row_ = row; }
  /// Fewer rows of the outermost dimension; the values stay.
  void keep_rows(std::int64_t rows);
  /// More of them, not initialised; the values stay, though not where they were. Throws as place() does.
  void grow_rows(std::int64_t rows);
  /// A tensor of these values; it takes over this field's memory, so that the field takes new memory for the next
  /// element and has these values only as long as the tensor lives.
  Tensor tensor();

 private:
  std::byte* place_anew(DType dtype, const Shape& shape);
  void require(DType wanted) const;

  Shape shape_{};
  DType dtype_ = DType::float32;
  std::size_t bytes_ = 0;
  const std::byte* data_ = nullptr;
  std::byte* row_ = nullptr;
  std::shared_ptr<Storage> storage_;
};

/// What travels through a pipeline: one to four tensors, say pixels and a label. Not copied but swapped on its way, so
/// that memory goes round.
class Element {
 public:
  static constexpr std::size_t most_fields = 4;

  Element() = default;
  Element(const Element&) = delete;
  Element& operator=(const Element&) = delete;
  Element(Element&&) = default;
  Element& operator=(Element&&) = default;

  std::size_t size() const { return size_; }
  /// Throws std::invalid_argument for more than `most_fields`.
  void resize(std::size_t fields);
  Field& operator[](std::size_t i) { return fields_[i]; }
  const Field& operator[](std::size_t i) const { return fields_[i]; }
  Field* begin() { return fields_.data(); }
  Field* end() { return fields_.data() + size_; }
  const Field* begin() const { return fields_.data(); }
  const Field* end() const { return fields_.data() + size_; }
  std::size_t bytes() const;
  void own();
  /// A copy of another element's values.
  void copy(const Element& other);
  void swap(Element& other);

 private:
  std::array<Field, most_fields> fields_;
  std::size_t size_ = 0;
};

/// "float32 28x28x1, int32 scalar".
std::string to_string(const Element& element);

}  // namespace assay::engine
