#pragma once
#include <array>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>

namespace assay::engine {

/// Dimensions, outermost first; a value that lives on the stack, at most `max_rank` of them. Rank 0 is a scalar.
class Shape {
 public:
  static constexpr std::size_t max_rank = 6;

  Shape() = default;
  /// Throws std::invalid_argument for a negative dimension or too many of them.
  Shape(std::initializer_list<std::int64_t> dims);
  explicit Shape(std::span<const std::int64_t> dims);

  std::size_t rank() const { return rank_; }
  /// Dimension i; a negative i counts from the end.
  std::int64_t operator[](std::int64_t i) const {
    return dims_[static_cast<std::size_t>(i < 0 ? i + static_cast<std::int64_t>(rank_) : i)];
  }
  std::span<const std::int64_t> dims() const { return {dims_.data(), rank_}; }
  /// Product of the dimensions; 1 for a scalar.
  std::int64_t elements() const;
  /// The same shape with another outermost dimension.
  Shape with_rows(std::int64_t rows) const;

  bool operator==(const Shape&) const = default;

 private:
  std::array<std::int64_t, max_rank> dims_{};  // unused tail stays 0, so that == compares whole arrays
  std::size_t rank_ = 0;
};

/// "128x784"; "scalar" for rank 0.
std::string to_string(const Shape& shape);

}  // namespace assay::engine
