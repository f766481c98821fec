#pragma once
#include <cstdint>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "engine/core/float8.hpp"
#include "engine/core/inline_vector.hpp"
#include "engine/core/storage.hpp"
#include "engine/core/tensor_type.hpp"

namespace assay::engine {

/// The element type of a C++ type: dtype_of<float> is DType::float32.
template <class T>
inline constexpr DType dtype_of = DType::float32;
template <>
inline constexpr DType dtype_of<double> = DType::float64;
template <>
inline constexpr DType dtype_of<BFloat16> = DType::bfloat16;
template <>
inline constexpr DType dtype_of<Float16> = DType::float16;
template <>
inline constexpr DType dtype_of<Float8E4M3> = DType::float8_e4m3;
template <>
inline constexpr DType dtype_of<Float8E5M2> = DType::float8_e5m2;
template <>
inline constexpr DType dtype_of<std::int8_t> = DType::int8;
template <>
inline constexpr DType dtype_of<std::uint8_t> = DType::uint8;
template <>
inline constexpr DType dtype_of<std::int32_t> = DType::int32;
template <>
inline constexpr DType dtype_of<std::int64_t> = DType::int64;

/// A handle to values of one type, cheap to copy; copies share the values. While a function is being recorded a tensor
/// stands for a value of the graph instead and has no elements to read.
class Tensor {
 public:
  Tensor() = default;
  Tensor(TensorType type, std::shared_ptr<Storage> storage);
  /// New, not initialised.
  static Tensor empty(const TensorType& type);
  static Tensor zeros(const Shape& shape, DType dtype = DType::float32);
  /// `value` is converted to float32 or float64.
  static Tensor full(const Shape& shape, double value, DType dtype = DType::float32);
  template <class T>
  static Tensor from(const Shape& shape, std::span<const T> values) {
    return from_bytes({dtype_of<T>, shape, {}}, std::as_bytes(values));
  }
  template <class T>
  static Tensor from(const Shape& shape, std::initializer_list<T> values) {
    return from(shape, std::span<const T>(values.begin(), values.size()));
  }
  template <class T>
  static Tensor scalar(T value) {
    return from(Shape{}, std::span<const T>(&value, 1));
  }
  /// Throws std::invalid_argument where the sizes differ.
  static Tensor from_bytes(const TensorType& type, std::span<const std::byte> bytes);
  /// Value `symbol` of the graph that is being recorded.
  static Tensor symbolic(const TensorType& type, int symbol);

  bool defined() const { return storage_ != nullptr || symbol_ >= 0; }
  bool is_symbolic() const { return symbol_ >= 0; }
  int symbol() const { return symbol_; }
  const TensorType& type() const { return type_; }
  const Shape& shape() const { return type_.shape; }
  DType dtype() const { return type_.dtype; }
  /// Unique to a result; copies of the handle share it.
  std::uint64_t id() const { return id_; }

  /// Throws std::logic_error for a symbolic or undefined tensor.
  std::byte* data() const;
  View view() const { return {data(), &type_}; }
  template <class T>
  std::span<T> as() const {
    require_dtype(dtype_of<T>);
    return {reinterpret_cast<T*>(data()), static_cast<std::size_t>(shape().elements())};
  }
  template <class T>
  std::vector<T> to() const {
    const auto values = as<T>();
    return {values.begin(), values.end()};
  }
  /// The only element.
  template <class T>
  T item() const {
    return as<T>()[0];
  }
  Tensor clone() const;
  /// Handles that share these values, this one included.
  long shared_by() const { return storage_.use_count(); }
  /// A copy of rows [begin, end) of the outermost dimension.
  Tensor rows(std::int64_t begin, std::int64_t end) const;

 private:
  void require_dtype(DType wanted) const;

  TensorType type_{};
  std::shared_ptr<Storage> storage_;
  int symbol_ = -1;
  std::uint64_t id_ = 0;
};

/// Inputs or outputs of one operation: on the stack.
using Tensors = InlineVector<Tensor, 8>;

}  // namespace assay::engine
