#pragma once
#include <cstdint>
#include <memory>
#include <vector>

#include "engine/nn/layer.hpp"

namespace assay::engine {

/// Layers one after the other. Built by chaining: model.dense(128).relu().dense(10). Movable, not copyable.
class Model {
 public:
  /// `input` is one row's shape, without the batch. Every weight's initial values follow from the seed and its place.
  Model(Shape input, std::uint64_t seed) : shape_(input), seed_(seed) {}

  /// What the layers added from here on follow; float32 until then. So a layer's own policy is
  /// `model.precision(mixed).conv(16).precision(float32).dense(10)`.
  Model& precision(const Policy& policy);
  Model& dense(std::int64_t units, Initializer initializer = Initializer::glorot_uniform);
  Model& conv(std::int64_t filters, std::int64_t window = 3, Padding padding = Padding::valid,
              Initializer initializer = Initializer::glorot_uniform);
  Model& max_pool(std::int64_t window = 2);
  Model& relu();
  Model& softmax();
  Model& flatten();
  Model& dropout(double rate);
  Model& rescaling(double factor);

  /// x [rows, input…] -> [rows, output…]. Throws std::invalid_argument, with both shapes, where a row does not fit.
  Tensor operator()(const Tensor& x, Mode mode = Mode::evaluation) const;
  /// The same without a softmax at the end: what a cross-entropy from logits takes.
  Tensor logits(const Tensor& x, Mode mode = Mode::evaluation) const;

  const Shape& input() const { return input_shape_; }
  /// One row of the output.
  const Shape& output() const { return shape_; }
  /// What training changes, in order: dense_0/kernel, dense_0/bias, ….
  std::vector<Variable> weights() const;
  /// Weights and what else a run changes (keys of dropout, histories of float8).
  std::vector<Variable> state() const;
  /// Gradients that layers quantize to float8, in the layers' order.
  std::vector<const Float8Tensor*> float8_gradients() const;
  /// Whether a layer computes in float16, whose gradients need a scaled loss.
  bool scales_loss() const;
  /// Assigns another model's weights, rounded to the types that this one keeps. Throws std::invalid_argument where
  /// names or shapes differ.
  void take_weights(const Model& other) const;

 private:
  Tensor forward(const Tensor& x, Mode mode, std::size_t layers) const;
  Model& add(std::unique_ptr<Layer> layer);

  Shape shape_, input_shape_ = shape_;
  std::uint64_t seed_;
  std::uint64_t stream_ = 0;
  bool ends_in_softmax_ = false;
  int dense_ = 0, conv_ = 0, dropout_ = 0;
  Policy policy_{};
  struct Placed {
    std::unique_ptr<Layer> layer;
    Policy policy;
  };
  std::vector<Placed> layers_;
};

/// Values of variables at one moment, to come back to.
class Snapshot {
 public:
  explicit Snapshot(std::vector<Variable> variables);
  void restore() const;
  /// How many variables have other bytes now than then.
  std::int64_t changed() const;

 private:
  std::vector<Variable> variables_;
  std::vector<Tensor> values_;
};

}  // namespace assay::engine
