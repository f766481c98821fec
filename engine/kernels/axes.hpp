#pragma once
#include <cstdint>
#include <vector>

#include "engine/core/shape.hpp"

namespace assay::engine {

/// Whether bit `axis` of Attributes::axes is set.
constexpr bool has_axis(std::uint32_t axes, std::size_t axis) { return ((axes >> axis) & 1u) != 0; }

/// Offsets of the full tensor split into those of the kept and of the reduced axes: element (i, j) of a reduction lies
/// at kept[i] + reduced[j], both in row-major order.
struct SplitOffsets {
  std::vector<std::int64_t> kept, reduced;
};
SplitOffsets split_offsets(const Shape& full, std::uint32_t axes);

/// The shape without the axes.
Shape without_axes(const Shape& full, std::uint32_t axes);

/// A tensor with neighbouring reduced axes, its dimensions collapsed to [outer, reduced, inner].
struct ReductionShape {
  std::int64_t outer = 1, reduced = 1, inner = 1;
};
/// False where kept axes stand between reduced ones.
bool collapse_axes(const Shape& full, std::uint32_t axes, ReductionShape& collapsed);

}  // namespace assay::engine
