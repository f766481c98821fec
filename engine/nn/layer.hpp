#pragma once
#include <memory>
#include <vector>

#include "engine/core/variable.hpp"
#include "engine/kernels/operation.hpp"
#include "engine/nn/initializers.hpp"
#include "engine/precision/float8_tensor.hpp"
#include "engine/precision/policy.hpp"

namespace assay::engine {

/// Training and evaluation differ where dropout stands; each is a function, and a trace, of its own.
enum class Mode : std::uint8_t { training, evaluation };

class Layer {
 public:
  virtual ~Layer() = default;
  virtual Tensor forward(const Tensor& x, Mode mode) const = 0;
  /// What training changes, in Keras's order: kernel, bias.
  virtual std::vector<Variable> weights() const { return {}; }
  /// State that is no weight: the key of dropout.
  virtual std::vector<Variable> other_state() const { return {}; }
  /// Whose gradients a float8 policy quantizes: each is told the amax of its own.
  virtual std::vector<const Float8Tensor*> float8_gradients() const { return {}; }
  /// The shape of one row of the output, from that of the input.
  virtual Shape output(const Shape& input) const { return input; }
};

// Layers compute in the type of their input (the model casts it) and cast their weights to it; the policy says which
// type these are kept in and whether products are of float8 values. Each layer in a file of its own name's family;
// `name` is "dense_0", its weights "dense_0/kernel" and "dense_0/bias".
std::unique_ptr<Layer> dense_layer(const std::string& name, std::int64_t inputs, std::int64_t units,
                                   Initializer initializer, std::uint64_t seed, std::uint64_t stream,
                                   const Policy& policy);
std::unique_ptr<Layer> convolution_layer(const std::string& name, std::int64_t channels, std::int64_t filters,
                                         std::int64_t window, Padding padding, Initializer initializer,
                                         std::uint64_t seed, std::uint64_t stream, const Policy& policy);
std::unique_ptr<Layer> relu_layer();
std::unique_ptr<Layer> softmax_layer();
std::unique_ptr<Layer> max_pool_layer(std::int64_t window);
std::unique_ptr<Layer> flatten_layer();
/// x * factor: rescaling of raw pixels inside the model.
std::unique_ptr<Layer> rescaling_layer(double factor);
/// The key starts at (seed, 0); both numbers grow by one at every training call, so that no two calls share a key.
std::unique_ptr<Layer> dropout_layer(const std::string& name, double rate, std::uint64_t seed);

}  // namespace assay::engine
