#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <span>

#include "engine/core/tensor.hpp"

namespace assay::engine {

/// Bytes of a tensor; none where there are more than memory has addresses.
std::optional<std::size_t> bytes_of(DType dtype, const Shape& shape);

/// One tensor of an element. It keeps its memory from one element to the next, so that a pipeline allocates nothing
/// once it runs. *Borrowed* values belong to a source or a cache and stay valid while the pipeline is read.
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

  /// Room for a tensor of this type, not initialised. Throws std::invalid_argument or std::runtime_error, with type and
  /// shape, where there is no memory.
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
  /// Copies the values if they are borrowed.
  void own();
  /// Makes place() give `row`, a row of a batch, as long as the type stays the same. Null ends that.
  void redirect(std::byte* row) { row_ = row; }
  /// Drops all rows from `rows` on.
  void keep_rows(std::int64_t rows);
  /// Adds rows that are not initialised. The values stay, though not where they were. Throws as place() does.
  void grow_rows(std::int64_t rows);
  /// A tensor that takes over this field's memory: the field allocates new memory for its next value.
  Tensor release();

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

/// What a pipeline is made of: one to four tensors, such as pixels and a label. Stages swap elements instead of copying
/// them, so that the memory is used again.
class Element {
 public:
  static constexpr std::size_t max_fields = 4;

  Element() = default;
  Element(const Element&) = delete;
  Element& operator=(const Element&) = delete;
  Element(Element&&) = default;
  Element& operator=(Element&&) = default;

  std::size_t size() const { return size_; }
  /// Throws std::invalid_argument above `max_fields`.
  void resize(std::size_t fields);
  Field& operator[](std::size_t i) { return fields_[i]; }
  const Field& operator[](std::size_t i) const { return fields_[i]; }
  Field* begin() { return fields_.data(); }
  Field* end() { return fields_.data() + size_; }
  const Field* begin() const { return fields_.data(); }
  const Field* end() const { return fields_.data() + size_; }
  std::size_t bytes() const;
  void own();
  /// Copies the values of another element.
  void copy(const Element& other);
  void swap(Element& other);

 private:
  std::array<Field, max_fields> fields_;
  std::size_t size_ = 0;
};

/// "float32 28x28x1, int32 scalar".
std::string to_string(const Element& element);

}  // namespace assay::engine
