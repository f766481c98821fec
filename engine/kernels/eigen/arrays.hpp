#pragma once
#include <Eigen/Core>
#include <cstdint>

namespace assay::engine::eigen {

/// Elements as an Eigen array, whose expressions are vectorised and may run in place.
template <class T>
using ConstArray = Eigen::Map<const Eigen::Array<T, Eigen::Dynamic, 1>>;
template <class T>
using Array = Eigen::Map<Eigen::Array<T, Eigen::Dynamic, 1>>;

}  // namespace assay::engine::eigen
