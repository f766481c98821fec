#include "engine/kernels/axes.hpp"

#include <array>

namespace assay::engine {
namespace {

/// Row-major offsets over the axes for which bit == `wanted`.
std::vector<std::int64_t> offsets_of(const Shape& full, std::uint32_t axes, bool wanted) {
  std::vector<std::int64_t> offsets{0};
  std::int64_t stride = full.elements();
  for (std::size_t axis = 0; axis < full.rank(); ++axis) {
    const std::int64_t dim = full.dims()[axis];
    stride = dim == 0 ? 0 : stride / dim;
    if (has_axis(axes, axis) != wanted) continue;
    std::vector<std::int64_t> longer;
    longer.reserve(offsets.size() * static_cast<std::size_t>(dim));
    for (const std::int64_t offset : offsets) {
      for (std::int64_t i = 0; i < dim; ++i) longer.push_back(offset + i * stride);
    }
    offsets = std::move(longer);
  }
  return offsets;
}

}  // namespace

SplitOffsets split_offsets(const Shape& full, std::uint32_t axes) {
  return {offsets_of(full, axes, false), offsets_of(full, axes, true)};
}

Shape without_axes(const Shape& full, std::uint32_t axes) {
  std::array<std::int64_t, Shape::max_rank> kept{};
  std::size_t rank = 0;
  for (std::size_t axis = 0; axis < full.rank(); ++axis) {
    if (!has_axis(axes, axis)) kept[rank++] = full.dims()[axis];
  }
  return Shape(std::span<const std::int64_t>(kept.data(), rank));
}

bool collapse_axes(const Shape& full, std::uint32_t axes, ReductionShape& collapsed) {
  collapsed = {};
  bool reducing = false;
  bool done = false;
  for (std::size_t axis = 0; axis < full.rank(); ++axis) {
    const std::int64_t dim = full.dims()[axis];
    if (has_axis(axes, axis)) {
      if (done) return false;
      reducing = true;
      collapsed.reduced *= dim;
    } else if (reducing) {
      done = true;
      collapsed.inner *= dim;
    } else {
      collapsed.outer *= dim;
    }
  }
  return true;
}

}  // namespace assay::engine
