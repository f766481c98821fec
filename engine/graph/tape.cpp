#include "engine/graph/tape.hpp"

#include <algorithm>
#include <stdexcept>

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

Tape::~Tape() { stop(); }

void Tape::stop() {
  if (active == this) active = nullptr;
}

Tape* Tape::current() { return active; }

void Tape::note(const Operation& operation, std::span<const Tensor> in, const Tensors& out) {
  if (std::ranges::none_of(in, [this](const Tensor& tensor) { return is_watched(tensor); })) return;
  entries_.push_back({operation, Tensors(in.begin(), in.end()), out});
  for (const Tensor& tensor : out) watched_.insert(tensor.id());
}

}  // namespace assay::engine
