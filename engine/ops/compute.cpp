#include "engine/ops/compute.hpp"

#include "engine/exec/eager.hpp"
#include "engine/graph/recorder.hpp"
#include "engine/graph/tape.hpp"
#include "engine/ops/op_info.hpp"

namespace assay::engine {

Tensors compute(const Operation& operation, std::span<const Tensor> in) {
  Types types;
  for (const Tensor& tensor : in) types.push_back(tensor.type());
  const Types out_types = op_info(operation.op).infer(operation.attributes, types);
  Recorder* const recorder = Recorder::current();
  Tensors out = recorder ? recorder->record(operation, in, out_types) : run_eager(operation, in, out_types);
  if (Tape* const tape = Tape::current()) tape->note(operation, in, out);
  return out;
}

}  // namespace assay::engine
