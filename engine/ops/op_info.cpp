#include "engine/ops/op_info.hpp"

#include <stdexcept>

namespace assay::engine {

std::string to_string(const TensorType& type) { return std::string(name(type.dtype)) + " " + to_string(type.shape); }

void bad_shapes(Op op, std::span<const TensorType> in, const std::string& expected) {
  std::string message = std::string(name(op)) + ": expected " + expected + ", got";
  const char* between = " ";
  for (const TensorType& type : in) {
    message += between + to_string(type);
    between = ", ";
  }
  throw std::invalid_argument(message);
}

int reused_input(Op op, std::size_t inputs, std::size_t out) {
  const OpInfo& row = op_info(op);
  if (!is_update(op)) return out < row.in_place.size() ? row.in_place[out] : -1;
  const std::size_t parameters = updated_parameters(op, inputs);
  return row.in_place[out / parameters] * static_cast<int>(parameters) + static_cast<int>(out % parameters);
}

bool is_float(DType dtype) { return dtype == DType::float32 || dtype == DType::float64; }
bool is_floating_point(DType dtype) { return is_float(dtype) || is_narrow(dtype); }

}  // namespace assay::engine
