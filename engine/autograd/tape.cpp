#include "engine/autograd/tape.hpp"

#include <stdexcept>
#include <unordered_map>

#include "engine/ops/arithmetic.hpp"

namespace assay::engine {
namespace {

thread_local Tape* active = nullptr;

}  // namespace

Tape::Tape() {
  if (active != nullptr)
    throw std::logic_error(
        "gradients were asked for inside a function whose gradients are being taken: second derivatives are not "
        "supported");
  active = this;
}

Tape::~Tape() {
  if (active == this) active = nullptr;
}

Tape* Tape::current() { return active; }

void Tape::note(const Operation& operation, std::span<const Tensor> in, const Tensors& out) {
  bool follows = false;
  for (const Tensor& tensor : in) follows = follows || is_watched(tensor);
  if (!follows) return;
  applications_.push_back({operation, Tensors(in.begin(), in.end()), out});
  for (const Tensor& tensor : out) watched_.insert(tensor.id());
}

std::vector<Tensor> Tape::gradients(const Tensor& of, std::span<const Tensor> with_respect_to) {
  if (of.shape().elements() != 1)
    throw std::invalid_argument("gradients are of a scalar, got " + to_string(of.shape()));
  active = nullptr;  // what follows is not noted
  std::unordered_map<std::uint64_t, Tensor> by_id;
  by_id.emplace(of.id(), Tensor::full(of.shape(), 1, of.dtype()));

  for (auto application = applications_.rbegin(); application != applications_.rend(); ++application) {
    Tensors dy;
    bool reached = false;
    for (const Tensor& out : application->out) {
      const auto found = by_id.find(out.id());
      dy.push_back(found == by_id.end() ? Tensor{} : found->second);
      reached = reached || dy.back().defined();
    }
    const OpInfo& row = op_info(application->operation.op);
    if (!reached || row.gradient == nullptr) continue;
    std::array<bool, 8> needed{};
    for (std::size_t i = 0; i < application->in.size(); ++i) needed[i] = is_watched(application->in[i]);
    const Tensors dx = row.gradient(*application, dy, {needed.data(), application->in.size()});
    for (std::size_t i = 0; i < dx.size(); ++i) {
      if (!needed[i] || !dx[i].defined()) continue;
      auto [place, first] = by_id.try_emplace(application->in[i].id(), dx[i]);
      if (!first) place->second = place->second + dx[i];
    }
  }

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
  return {value, tape.gradients(value, values)};
}

}  // namespace assay::engine
