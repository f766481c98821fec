#include "engine/autograd/gradients.hpp"

#include <array>
#include <ranges>
#include <stdexcept>
#include <unordered_map>

#include "engine/ops/arithmetic.hpp"
#include "engine/ops/op_info.hpp"

namespace assay::engine {
namespace {

/// Gradients found so far, by the id of the tensor that they belong to.
using GradientsById = std::unordered_map<std::uint64_t, Tensor>;

/// Adds to the gradients of the entry's inputs what its outputs' gradients give them.
void propagate(const TapeEntry& entry, const Tape& tape, GradientsById& by_id) {
  const OpInfo& row = op_info(entry.operation.op);
  Tensors dy;
  bool reached = false;
  for (const Tensor& out : entry.out) {
    const auto found = by_id.find(out.id());
    dy.push_back(found == by_id.end() ? Tensor{} : found->second);
    reached = reached || dy.back().defined();
  }
  if (!reached || row.gradient == nullptr) return;
  std::array<bool, 8> needed{};
  for (std::size_t i = 0; i < entry.in.size(); ++i) needed[i] = tape.is_watched(entry.in[i]);
  const Tensors dx = row.gradient(entry, dy, {needed.data(), entry.in.size()});
  for (std::size_t i = 0; i < dx.size(); ++i) {
    if (!needed[i] || !dx[i].defined()) continue;
    auto [place, first] = by_id.try_emplace(entry.in[i].id(), dx[i]);
    if (!first) place->second = place->second + dx[i];
  }
}

}  // namespace

std::vector<Tensor> gradients(Tape& tape, const Tensor& of, std::span<const Tensor> with_respect_to) {
  if (of.shape().elements() != 1)
    throw std::invalid_argument("gradients are of a scalar, got " + to_string(of.shape()));
  tape.stop();
  GradientsById by_id;
  by_id.emplace(of.id(), Tensor::full(of.shape(), 1, of.dtype()));
  for (const TapeEntry& entry : std::views::reverse(tape.entries())) propagate(entry, tape, by_id);
  std::vector<Tensor> result;
  for (const Tensor& tensor : with_respect_to) {
    const auto found = by_id.find(tensor.id());
    result.push_back(found == by_id.end() ? Tensor::zeros(tensor.shape(), tensor.dtype()) : found->second);
  }
  return result;
}

ValueAndGradients value_and_gradients(const std::function<Tensor()>& fn, std::span<const Variable> variables) {
  Tape tape;
  std::vector<Tensor> values;
  for (const Variable& variable : variables) {
    values.push_back(variable.value());
    tape.watch(values.back());
  }
  const Tensor value = fn();
  return {value, gradients(tape, value, values)};
}

}  // namespace assay::engine
