#pragma once
#include <algorithm>
#include <cstdint>
#include <vector>

#include "engine/core/tensor.hpp"

namespace assay::engine {

/// Rows of features and labels in batches, in order or shuffled. Batches of one size are copied into the same two
/// tensors.
class Batches {
 public:
  /// x [rows, …], labels int32 [rows]. Throws std::invalid_argument where the rows differ or the batch is not above 0.
  Batches(Tensor x, Tensor labels, std::int64_t batch, bool drop_remainder = false);

  std::int64_t rows() const { return x_.shape()[0]; }
  /// Batches an epoch.
  std::int64_t count() const;
  /// A new order for the epoch; the same seed and epoch give the same one, different epochs different ones.
  void shuffle(std::uint64_t seed, std::uint64_t epoch);

  struct Batch {
    Tensor x, labels;
    std::int64_t rows() const { return x.shape()[0]; }
  };
  /// Batch `index` of the epoch; valid until the next call.
  Batch at(std::int64_t index);
  /// `count` whole batches from `index` on, stacked: x [count, batch, …], labels [count, batch]. Valid until the next
  /// call.
  Batch staged(std::int64_t index, std::int64_t count);
  /// Batches of an epoch that are whole.
  std::int64_t whole() const { return rows() / batch_; }
  /// Rows of batch `index`.
  std::int64_t rows_of(std::int64_t index) const { return std::min(batch_, rows() - index * batch_); }
  /// Where a row of the data stands in the present order.
  std::int64_t position_of(std::int64_t row) const;

 private:
  Tensor x_, labels_;
  std::int64_t batch_;
  bool drop_remainder_;
  std::vector<std::int64_t> order_;
  Batch full_, last_, staged_;
};

}  // namespace assay::engine
