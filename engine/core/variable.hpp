#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "engine/core/tensor.hpp"

namespace assay::engine {

class Variable;

/// Keeps the latest value of a variable in a layout of its own: an execution with packed weights.
class VariableHolder {
 public:
  virtual ~VariableHolder() = default;
  /// Writes the latest value into the variable's own storage.
  virtual void write_back(const Variable& variable) = 0;
};

/// Handles reads and writes of variables on a thread while a function is recorded there.
class VariableTracer {
 public:
  virtual ~VariableTracer() = default;
  virtual Tensor read(const Variable& variable) = 0;
  virtual void write(const Variable& variable, const Tensor& value) = 0;

 protected:
  /// The tracer of this thread; null: variables are read and written at once.
  static void set_current(VariableTracer* tracer);
};

/// Named state that training changes: weights, optimizer slots, counters, random keys. A handle; copies share the
/// state. Its storage stays where it is for life, so that plans may bind to it. One thread at a time.
class Variable {
 public:
  Variable() = default;
  Variable(std::string name, const Tensor& initial);

  const std::string& name() const { return state_->name; }
  const TensorType& type() const { return state_->value.type(); }
  bool defined() const { return state_ != nullptr; }
  bool operator==(const Variable&) const = default;

  /// The current value; while a function is being recorded, the value as the function sees it there.
  Tensor value() const;
  /// Copies the values in; while a function is being recorded, makes it part of what the function does.
  /// Throws std::invalid_argument, naming the variable, where the types differ.
  void assign(const Tensor& value) const;

  // For executions and eager updates.
  std::byte* data() const { return state_->value.data(); }  // without asking the holder
  std::uint64_t version() const { return state_->version; }
  VariableHolder* holder() const { return state_->holder; }
  /// The latest value is now the holder's (null: the variable's own).
  void mark_changed(VariableHolder* holder) const;
  /// Call before the storage is written. Tensors that value() returned keep their values; the variable moves to new
  /// storage if there are any.
  void detach() const;
  /// The latest value in a packed layout, shared by all executions that only read it. `pack` makes it once a version.
  std::shared_ptr<Storage> packed(const TensorType& type, const std::function<std::shared_ptr<Storage>()>& pack) const;
  /// Brings the latest value into the variable's own storage.
  void sync() const;

 private:
  struct PackedCopy {
    TensorType type;
    std::uint64_t version = 0;
    std::weak_ptr<Storage> storage;  // lives as long as an execution uses it
  };
  struct State {
    std::string name;
    Tensor value;
    std::uint64_t version = 0;
    VariableHolder* holder = nullptr;
    std::mutex packing{};
    std::vector<PackedCopy> packed{};
  };
  std::shared_ptr<State> state_;
};

}  // namespace assay::engine
