#include "engine/nn/batches.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <stdexcept>

#include "engine/core/random.hpp"

namespace assay::engine {
namespace {

void gather(const Tensor& from, std::span<const std::int64_t> rows, const Tensor& to) {
  const std::size_t bytes = from.type().bytes() / static_cast<std::size_t>(from.shape()[0]);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    std::memcpy(to.data() + i * bytes, from.data() + static_cast<std::size_t>(rows[i]) * bytes, bytes);
  }
}

}  // namespace

Batches::Batches(Tensor x, Tensor labels, std::int64_t batch, bool drop_remainder)
    : x_(std::move(x)), labels_(std::move(labels)), batch_(batch), drop_remainder_(drop_remainder) {
  if (batch <= 0) throw std::invalid_argument("a batch has 1 row or more, got " + std::to_string(batch));
  if (x_.shape()[0] != labels_.shape()[0]) {
    throw std::invalid_argument(std::to_string(x_.shape()[0]) + " rows of features but " +
                                std::to_string(labels_.shape()[0]) + " labels");
  }
  order_.resize(static_cast<std::size_t>(rows()));
  std::iota(order_.begin(), order_.end(), std::int64_t{0});
  const auto make = [&](std::int64_t size) {
    return size == 0 ? Batch{}
                     : Batch{Tensor::empty({x_.dtype(), x_.shape().with_rows(size), {}}),
                             Tensor::empty({labels_.dtype(), Shape{size}, {}})};
  };
  full_ = make(std::min(batch_, rows()));
  last_ = make(rows() % batch_);
}

std::int64_t Batches::count() const { return drop_remainder_ ? rows() / batch_ : (rows() + batch_ - 1) / batch_; }

void Batches::shuffle(std::uint64_t seed, std::uint64_t epoch) {
  std::iota(order_.begin(), order_.end(), std::int64_t{0});
  engine::shuffle(order_, seed, epoch);
}

Batches::Batch Batches::at(std::int64_t index) {
  const std::int64_t begin = index * batch_, size = std::min(batch_, rows() - begin);
  if (index < 0 || index >= count())
    throw std::out_of_range("batch " + std::to_string(index) + " of " + std::to_string(count()));
  const Batch& into = size == batch_ || rows() < batch_ ? full_ : last_;
  const std::span<const std::int64_t> rows_of(order_.data() + begin, static_cast<std::size_t>(size));
  gather(x_, rows_of, into.x);
  gather(labels_, rows_of, into.labels);
  return into;
}

Batches::Batch Batches::staged(std::int64_t index, std::int64_t count) {
  if (index < 0 || count <= 0 || index + count > whole())
    throw std::out_of_range("batches " + std::to_string(index) + " to " + std::to_string(index + count - 1) + " of " +
                            std::to_string(whole()) + " whole ones");
  if (!staged_.x.defined() || staged_.x.shape()[0] != count) {
    const auto stack = [&](const TensorType& row, std::int64_t rows) {
      std::vector<std::int64_t> dims{count, rows};
      dims.insert(dims.end(), row.shape.dims().begin() + 1, row.shape.dims().end());
      return Tensor::empty({row.dtype, Shape(dims), {}});
    };
    staged_ = {stack(x_.type(), batch_), stack(labels_.type(), batch_)};
  }
  const std::span<const std::int64_t> rows_of(order_.data() + index * batch_, static_cast<std::size_t>(count * batch_));
  gather(x_, rows_of, staged_.x);
  gather(labels_, rows_of, staged_.labels);
  return staged_;
}

std::int64_t Batches::position_of(std::int64_t row) const { return std::ranges::find(order_, row) - order_.begin(); }

}  // namespace assay::engine
