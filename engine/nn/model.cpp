#include "engine/nn/model.hpp"

#include <algorithm>
#include <cstring>
#include <stdexcept>

#include "engine/ops/unary.hpp"

namespace assay::engine {

Model& Model::add(std::unique_ptr<Layer> layer) {
  shape_ = layer->output(shape_);
  ends_in_softmax_ = false;
  layers_.push_back({std::move(layer), policy_});
  return *this;
}

Model& Model::precision(const Policy& policy) {
  policy_ = policy;
  return *this;
}

Model& Model::dense(std::int64_t units, Initializer initializer) {
  if (shape_.rank() != 1)
    throw std::invalid_argument("a dense layer takes rows of one dimension, got " + to_string(shape_) +
                                ": flatten first");
  return add(
      dense_layer("dense_" + std::to_string(dense_++), shape_[0], units, initializer, seed_, stream_++, policy_));
}

Model& Model::conv(std::int64_t filters, std::int64_t window, Padding padding, Initializer initializer) {
  if (shape_.rank() != 3)
    throw std::invalid_argument("a convolution takes rows of height x width x channels, got " + to_string(shape_));
  return add(convolution_layer("conv_" + std::to_string(conv_++), shape_[2], filters, window, padding, initializer,
                               seed_, stream_++, policy_));
}

Model& Model::max_pool(std::int64_t window) { return add(max_pool_layer(window)); }
Model& Model::relu() { return add(relu_layer()); }
Model& Model::softmax() {
  add(softmax_layer());
  ends_in_softmax_ = true;
  return *this;
}
Model& Model::flatten() { return add(flatten_layer()); }
Model& Model::rescaling(double factor) { return add(rescaling_layer(factor)); }
Model& Model::dropout(double rate) {
  const int number = dropout_++;
  return add(dropout_layer("dropout_" + std::to_string(number), rate, seed_ + static_cast<std::uint64_t>(number)));
}

Tensor Model::operator()(const Tensor& x, Mode mode) const { return forward(x, mode, layers_.size()); }

Tensor Model::logits(const Tensor& x, Mode mode) const {
  return forward(x, mode, layers_.size() - (ends_in_softmax_ ? 1 : 0));
}

Tensor Model::forward(const Tensor& x, Mode mode, std::size_t layers) const {
  if (x.shape().rank() != input_shape_.rank() + 1 ||
      x.shape() != Shape([&] {
        std::vector<std::int64_t> dims{x.shape().rank() > 0 ? x.shape()[0] : 0};
        dims.insert(dims.end(), input_shape_.dims().begin(), input_shape_.dims().end());
        return dims;
      }())) {
    throw std::invalid_argument("the model takes rows of " + to_string(input_shape_) + ", got a tensor of " +
                                to_string(x.shape()));
  }
  Tensor value = x;
  for (std::size_t i = 0; i < layers; ++i)
    value = layers_[i].layer->forward(cast(value, layers_[i].policy.compute), mode);
  return value;
}

std::vector<Variable> Model::weights() const {
  std::vector<Variable> all;
  for (const auto& [layer, policy] : layers_) {
    for (auto& weight : layer->weights()) all.push_back(std::move(weight));
  }
  return all;
}

std::vector<Variable> Model::state() const {
  auto all = weights();
  for (const auto& [layer, policy] : layers_) {
    for (auto& variable : layer->other_state()) all.push_back(std::move(variable));
  }
  return all;
}

std::vector<const Float8Tensor*> Model::float8_gradients() const {
  std::vector<const Float8Tensor*> all;
  for (const auto& [layer, policy] : layers_) {
    for (const Float8Tensor* gradient : layer->float8_gradients()) all.push_back(gradient);
  }
  return all;
}

bool Model::scales_loss() const {
  return std::ranges::any_of(layers_, [](const Placed& placed) { return placed.policy.scales_loss; });
}

void Model::take_weights(const Model& other) const {
  const auto mine = weights(), theirs = other.weights();
  const auto same = [](const Variable& a, const Variable& b) {
    return a.name() == b.name() && a.type().shape == b.type().shape;
  };
  if (!std::ranges::equal(mine, theirs, same))
    throw std::invalid_argument("weights of another model: expected the same names and shapes, found others");
  for (std::size_t i = 0; i < mine.size(); ++i) mine[i].assign(cast(theirs[i].value(), mine[i].type().dtype));
}

Snapshot::Snapshot(std::vector<Variable> variables) : variables_(std::move(variables)) {
  for (const Variable& variable : variables_) values_.push_back(variable.value().clone());
}

void Snapshot::restore() const {
  for (std::size_t i = 0; i < variables_.size(); ++i) variables_[i].assign(values_[i]);
}

std::int64_t Snapshot::changed() const {
  std::int64_t count = 0;
  for (std::size_t i = 0; i < variables_.size(); ++i) {
    const Tensor now = variables_[i].value();
    if (std::memcmp(now.data(), values_[i].data(), now.type().bytes()) != 0) ++count;
  }
  return count;
}

}  // namespace assay::engine
