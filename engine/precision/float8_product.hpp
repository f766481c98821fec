#pragma once
#include <functional>
#include <optional>

#include "engine/precision/float8_tensor.hpp"
#include "engine/precision/policy.hpp"

namespace assay::engine {

/// The product of a layer (dense or convolution) by its policy: the kernel is cast to the input's type and, under a
/// float8 policy, both factors are E4M3 values and the gradient that reaches them E5M2 ones.
class Float8Product {
 public:
  Float8Product(const std::string& layer, const Policy& policy);

  /// multiply(x, kernel) in x's type. `training`: amaxes are noted.
  Tensor product(const Tensor& x, const Tensor& kernel, bool training,
                 const std::function<Tensor(const Tensor&, const Tensor&)>& multiply) const;
  std::vector<Variable> state() const;
  std::vector<const Float8Tensor*> gradients() const;

 private:
  struct Tensors8 {
    Float8Tensor x, kernel, gradient;
  };
  std::optional<Tensors8> float8_;
};

}  // namespace assay::engine
