#include "engine/core/shape.hpp"

#include <algorithm>
#include <functional>
#include <numeric>
#include <stdexcept>

namespace assay::engine {

Shape::Shape(std::initializer_list<std::int64_t> dims) : Shape(std::span(dims.begin(), dims.size())) {}

Shape::Shape(std::span<const std::int64_t> dims) : rank_(dims.size()) {
  if (dims.size() > max_rank) {
    throw std::invalid_argument("a shape has at most " + std::to_string(max_rank) + " dimensions, found " +
                                std::to_string(dims.size()));
  }
  for (const std::int64_t dim : dims) {
    if (dim < 0) throw std::invalid_argument("a dimension must not be negative, found " + std::to_string(dim));
  }
  std::copy(dims.begin(), dims.end(), dims_.begin());
}

std::int64_t Shape::elements() const {
  return std::accumulate(dims().begin(), dims().end(), std::int64_t{1}, std::multiplies<>());
}

Shape Shape::with_rows(std::int64_t rows) const {
  if (rank_ == 0) throw std::invalid_argument("a scalar has no outermost dimension to change");
  if (rows < 0) throw std::invalid_argument("a dimension must not be negative, found " + std::to_string(rows));
  Shape changed = *this;
  changed.dims_[0] = rows;
  return changed;
}

std::string to_string(const Shape& shape) {
  if (shape.rank() == 0) return "scalar";
  std::string text;
  for (const std::int64_t dim : shape.dims()) {
    if (!text.empty()) text += 'x';
    text += std::to_string(dim);
  }
  return text;
}

}  // namespace assay::engine
