#include "engine/exec/variable.hpp"

#include <cstring>

#include "engine/graph/recorder.hpp"

namespace assay::engine {

Variable::Variable(std::string name, Tensor initial)
    : state_(std::make_shared<State>(State{std::move(name), initial.clone(), 0, nullptr})) {}

Tensor Variable::value() const {
  if (auto* recorder = Recorder::current()) return recorder->read(*this);
  settle();
  return state_->value;
}

void Variable::assign(const Tensor& value) const {
  if (value.type() != type()) {
    throw std::invalid_argument("variable " + name() + " holds " + to_string(type().shape) + " " +
                                std::string(engine::name(type().dtype)) + ", not " + to_string(value.shape()) + " " +
                                std::string(engine::name(value.dtype())));
  }
  if (auto* recorder = Recorder::current()) return recorder->write(*this, value);
  if (value.data() != state_->value.data()) std::memcpy(state_->value.data(), value.data(), type().bytes());
  changed(nullptr);
}

void Variable::changed(VariableHolder* holder) const {
  ++state_->version;
  state_->holder = holder;
}

void Variable::settle() const {
  if (state_->holder == nullptr) return;
  state_->holder->publish(*this);
  state_->holder = nullptr;
}

}  // namespace assay::engine
