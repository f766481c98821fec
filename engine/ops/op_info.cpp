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

bool is_floating_point(DType dtype) { return dtype == DType::float32 || dtype == DType::float64 || is_narrow(dtype); }

}  // namespace assay::engine
