#pragma once
#include <functional>
#include <unordered_set>
#include <vector>

#include "engine/exec/variable.hpp"
#include "engine/ops/op_info.hpp"

namespace assay::engine {

/// Notes what this thread computes from watched tensors, so that gradients can be taken afterwards. Gradients are
/// computed by operations themselves, so a tape works the same eagerly and while a function is being recorded. Tapes do
/// not nest.
class Tape {
 public:
  /// Throws std::logic_error where this thread has a tape already.
  Tape();
  ~Tape();
  Tape(const Tape&) = delete;
  Tape& operator=(const Tape&) = delete;

  static Tape* current();

  void watch(const Tensor& tensor) { watched_.insert(tensor.id()); }
  /// Called by compute() for everything that ran.
  void note(const Operation& operation, std::span<const Tensor> in, const Tensors& out);
  /// The gradients of the scalar `of` with respect to the watched `with_respect_to`: zeros where it does not depend on
  /// one. Only what lies on a path from a watched tensor is computed. Ends the tape.
  std::vector<Tensor> gradients(const Tensor& of, std::span<const Tensor> with_respect_to);

 private:
  bool is_watched(const Tensor& tensor) const { return watched_.contains(tensor.id()); }

  std::vector<TapeEntry> applications_;
  std::unordered_set<std::uint64_t> watched_;
};

struct ValueAndGradients {
  Tensor value;
  std::vector<Tensor> gradients;  // in the order of the variables
};
/// The scalar that `fn` returns, and its gradients.
ValueAndGradients value_and_gradients(const std::function<Tensor()>& fn, std::span<const Variable> variables);

}  // namespace assay::engine
