#include "engine/core/tensor.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>

namespace assay::engine {
namespace {

std::uint64_t next_id() {
  static std::atomic<std::uint64_t> last{0};
  return last.fetch_add(1, std::memory_order_relaxed) + 1;
}

}  // namespace

Tensor::Tensor(TensorType type, std::shared_ptr<Storage> storage)
    : type_(std::move(type)), storage_(std::move(storage)), id_(next_id()) {}

Tensor Tensor::empty(const TensorType& type) { return {type, make_storage(type.bytes())}; }

Tensor Tensor::zeros(const Shape& shape, DType dtype) {
  const TensorType type{dtype, shape, {}};
  return {type, make_storage(type.bytes(), true)};
}

Tensor Tensor::full(const Shape& shape, double value, DType dtype) {
  Tensor result = empty({dtype, shape, {}});
  if (dtype == DType::float64) {
    std::ranges::fill(result.as<double>(), value);
  } else {
    std::ranges::fill(result.as<float>(), static_cast<float>(value));
  }
  return result;
}

Tensor Tensor::from_bytes(const TensorType& type, std::span<const std::byte> bytes) {
  if (bytes.size() != type.bytes()) {
    throw std::invalid_argument("a tensor of " + to_string(type.shape) + " " + std::string(name(type.dtype)) +
                                " takes " + std::to_string(type.bytes()) + " bytes, got " +
                                std::to_string(bytes.size()));
  }
  Tensor result = empty(type);
  if (!bytes.empty()) std::memcpy(result.data(), bytes.data(), bytes.size());
  return result;
}

Tensor Tensor::symbolic(const TensorType& type, int symbol) {
  Tensor result(type, nullptr);
  result.symbol_ = symbol;
  return result;
}

std::byte* Tensor::data() const {
  if (is_symbolic()) {
    throw std::logic_error(
        "a tensor of a function that is being recorded has no values to read; return it from the function instead");
  }
  if (!storage_) throw std::logic_error("an undefined tensor has no values");
  return storage_->data();
}

Tensor Tensor::clone() const { return from_bytes(type_, {data(), type_.bytes()}); }

Tensor Tensor::rows(std::int64_t begin, std::int64_t end) const {
  if (shape().rank() == 0 || begin < 0 || end < begin || end > shape()[0]) {
    throw std::out_of_range("rows " + std::to_string(begin) + " to " + std::to_string(end) + " of a tensor of " +
                            to_string(shape()));
  }
  const std::size_t row = shape()[0] == 0 ? 0 : type_.bytes() / static_cast<std::size_t>(shape()[0]);
  return from_bytes({dtype(), shape().with_rows(end - begin), {}},
                    {data() + row * static_cast<std::size_t>(begin), row * static_cast<std::size_t>(end - begin)});
}

void Tensor::require_dtype(DType wanted) const {
  if (dtype() != wanted) {
    throw std::invalid_argument("a tensor of " + std::string(name(dtype())) + " was read as " +
                                std::string(name(wanted)));
  }
}

}  // namespace assay::engine
