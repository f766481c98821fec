#include "engine/kernels/operation.hpp"

namespace assay::engine {

int reused_input(Op op, std::size_t inputs, std::size_t out) {
  const int reused = op_rows[static_cast<std::size_t>(op)].reused;
  if (!is_update(op)) return out == 0 ? reused : -1;
  // Lists of tensors: outputs are the parameters and the slots, inputs have the gradients in between.
  const std::size_t parameters = updated_parameters(op, inputs), list = out / parameters;
  return static_cast<int>((list == 0 ? 0 : list + 1) * parameters + out % parameters);
}

}  // namespace assay::engine
