#pragma once
#include <span>
#include <unordered_map>
#include <unordered_set>

#include "engine/graph/graph.hpp"

namespace assay::engine {

/// Turns what the calling thread computes into a graph, from its construction to its end. Recorders do not nest.
class Recorder {
 public:
  /// Throws std::logic_error where this thread records already.
  explicit Recorder(std::span<const Tensor> arguments);
  ~Recorder();
  Recorder(const Recorder&) = delete;
  Recorder& operator=(const Recorder&) = delete;

  /// The recorder of this thread; null when none is active.
  static Recorder* current();

  /// What stands for the arguments while recording.
  const std::vector<Tensor>& arguments() const { return arguments_; }
  /// Appends a node; the outputs are symbolic.
  Tensors record(const Operation& operation, std::span<const Tensor> in, std::span<const TensorType> out);
  Tensor read(const Variable& variable);
  void write(const Variable& variable, const Tensor& value);
  /// Ends the graph with these results.
  Graph finish(std::span<const Tensor> results);

 private:
  /// A tensor that stands for a value of this recording.
  Tensor symbol(int value);
  int value_of(const Tensor& tensor);
  bool is_computed(int value) const;
  StateSlot& slot_of(const Variable& variable);

  Graph graph_;
  std::vector<Tensor> arguments_;
  std::unordered_set<std::uint64_t> issued_;  // ids of its symbols: those of another recording mean nothing here
  std::unordered_map<std::uint64_t, int> constants_;  // by the tensor's id
  std::unordered_map<int, Tensor> reads_;  // what stands for a state: one tensor, so that a tape knows it again
};

}  // namespace assay::engine
