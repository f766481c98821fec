#pragma once
#include <functional>
#include <vector>

#include "engine/core/variable.hpp"
#include "engine/graph/tape.hpp"

namespace assay::engine {

/// The gradients of the scalar `of` with respect to the tensors `with_respect_to`, which the tape watches; zeros where
/// `of` does not depend on one. Computes only what lies on a path from a watched tensor, by operations themselves, so
/// that it works the same eagerly and while a function is recorded. Ends the tape.
std::vector<Tensor> gradients(Tape& tape, const Tensor& of, std::span<const Tensor> with_respect_to);

struct ValueAndGradients {
  Tensor value;
  std::vector<Tensor> gradients;  // in the order of the variables
};
/// The scalar that `fn` returns, and its gradients.
ValueAndGradients value_and_gradients(const std::function<Tensor()>& fn, std::span<const Variable> variables);

}  // namespace assay::engine
