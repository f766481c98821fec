#pragma once
#include <span>
#include <unordered_map>
#include <unordered_set>

#include "engine/graph/graph.hpp"

namespace assay::engine {

/// Records what the calling thread computes as a graph, from its construction to finish(). Recorders do not nest.
class Recorder final : public VariableTracer {
 public:
  /// Throws std::logic_error where this thread records already.
  explicit Recorder(std::span<const Tensor> arguments);
  ~Recorder() override;
  Recorder(const Recorder&) = delete;
  Recorder& operator=(const Recorder&) = delete;

  /// The recorder of this thread; null when none is active.
  static Recorder* current();

  /// Symbolic tensors for the arguments.
  const std::vector<Tensor>& arguments() const { return arguments_; }
  /// Appends a node and returns symbolic tensors for its outputs.
  Tensors record(const Operation& operation, std::span<const Tensor> in, std::span<const TensorType> out);
  Tensor read(const Variable& variable) override;
  void write(const Variable& variable, const Tensor& value) override;
  /// Ends the recording with these results.
  Graph finish(std::span<const Tensor> results);

 private:
  static void set_current(Recorder* recorder);
  /// A tensor that stands for a value of this recording.
  Tensor symbol(int value);
  int value_of(const Tensor& tensor);
  bool is_computed(int value) const;
  StateSlot& slot_of(const Variable& variable);

  Graph graph_;
  std::vector<Tensor> arguments_;
  std::unordered_set<std::uint64_t> issued_;          // ids of the symbols of this recording
  std::unordered_map<std::uint64_t, int> constants_;  // by the tensor's id
  std::unordered_map<int, Tensor> reads_;  // the symbol of a state: always the same, so that a tape recognises it
};

}  // namespace assay::engine
