#pragma once
#include <cstdint>
#include <span>
#include <string_view>

#include "engine/kernels/operation.hpp"

namespace assay::scenarios::kernels {

/// Operations that are alike in what limits them; each family is one case of the scenario.
enum class Family : std::uint8_t { product, convolution, layer, reduction, elementwise, update };
constexpr std::size_t family_count = static_cast<std::size_t>(Family::update) + 1;
/// "product", ….
std::string_view name(Family family);

/// How floating-point operations are counted. Additions, multiplications, divisions, comparisons and roots count one
/// each, and so does a call of exp, log or tanh; drawing random numbers and moving bytes count none.
enum class Counted : std::uint8_t {
  product,      // 2 m k n
  convolution,  // 2 for each weight at each place of each result; no padding in the table's sizes
  in,           // a number for each element of the first input
  out           // a number for each element of the first output
};

/// What the scenario knows of one operation besides its sizes.
struct OperationInfo {
  engine::Op op;
  Family family;
  Counted counted = Counted::out;
  double flops = 0;           // an element, where elements are counted
  std::string_view left_out;  // why it has no size; "" where it must have some
};

/// The table, one row an operation, in the order of the enumeration.
std::span<const OperationInfo> operations();
const OperationInfo& operation_info(engine::Op op);

}  // namespace assay::scenarios::kernels
