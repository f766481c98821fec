#pragma once
#include "tests/engine/kernels/run_operation.hpp"

namespace assay::engine::testing {

/// One operation on seeded data.
struct OperationCase {
  std::string name;
  Operation operation;
  std::vector<Values> in;
  std::vector<TensorType> out;
};

/// Every operation but reorder, over small, odd and large shapes (large enough for two threads), in float32 or float64.
std::vector<OperationCase> operation_cases(DType dtype);

}  // namespace assay::engine::testing
