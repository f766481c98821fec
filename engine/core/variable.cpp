#include "engine/core/variable.hpp"

#include <cstring>
#include <stdexcept>

namespace assay::engine {
namespace {

thread_local VariableTracer* tracer = nullptr;

}  // namespace

void VariableTracer::set_current(VariableTracer* wanted) { tracer = wanted; }

Variable::Variable(std::string name, const Tensor& initial) : state_(std::make_shared<State>()) {
  state_->name = std::move(name);
  state_->value = initial.clone();
}

Tensor Variable::value() const {
  if (tracer != nullptr) return tracer->read(*this);
  sync();
  return state_->value;
}

void Variable::assign(const Tensor& value) const {
  if (value.type() != type()) {
    throw std::invalid_argument("variable " + name() + " holds " + to_string(type().shape) + " " +
                                std::string(engine::name(type().dtype)) + ", not " + to_string(value.shape()) + " " +
                                std::string(engine::name(value.dtype())));
  }
  if (tracer != nullptr) return tracer->write(*this, value);
  if (value.data() != state_->value.data()) {
    detach();
    std::memcpy(state_->value.data(), value.data(), type().bytes());
  }
  mark_changed(nullptr);
}

void Variable::detach() const {
  if (state_->value.shared_by() > 1) state_->value = state_->value.clone();
}

std::shared_ptr<Storage> Variable::packed(const TensorType& wanted,
                                          const std::function<std::shared_ptr<Storage>()>& pack) const {
  const std::lock_guard lock(state_->packing);
  std::erase_if(state_->packed, [](const PackedCopy& copy) { return copy.storage.expired(); });
  for (const PackedCopy& copy : state_->packed) {
    if (copy.version != state_->version || copy.type != wanted) continue;
    if (auto storage = copy.storage.lock()) return storage;
  }
  auto storage = pack();
  state_->packed.push_back({wanted, state_->version, storage});
  return storage;
}

void Variable::mark_changed(VariableHolder* holder) const {
  ++state_->version;
  state_->holder = holder;
}

void Variable::sync() const {
  if (state_->holder == nullptr) return;
  detach();
  state_->holder->write_back(*this);
  state_->holder = nullptr;
}

}  // namespace assay::engine
