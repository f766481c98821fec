#pragma once
#include <span>
#include <unordered_set>
#include <vector>

#include "engine/core/tensor.hpp"
#include "engine/kernels/operation.hpp"

namespace assay::engine {

/// One operation that ran or was recorded: what its gradient may use.
struct TapeEntry {
  Operation operation;
  Tensors in, out;
};

/// Notes what this thread computes from watched tensors, so that gradients can be taken afterwards
/// (engine/autograd/gradients.hpp). Tapes do not nest.
class Tape {
 public:
  /// Throws std::logic_error where this thread has a tape already.
  Tape();
  ~Tape();
  Tape(const Tape&) = delete;
  Tape& operator=(const Tape&) = delete;

  /// The tape of this thread; null when none is active.
  static Tape* current();

  void watch(const Tensor& tensor) { watched_.insert(tensor.id()); }
  bool is_watched(const Tensor& tensor) const { return watched_.contains(tensor.id()); }
  /// Adds an operation if it has a watched input; its outputs are watched from then on.
  void note(const Operation& operation, std::span<const Tensor> in, const Tensors& out);
  /// Ends the tape: what this thread computes from now on is not noted.
  void stop();
  const std::vector<TapeEntry>& entries() const { return entries_; }

 private:
  std::vector<TapeEntry> entries_;
  std::unordered_set<std::uint64_t> watched_;
};

}  // namespace assay::engine
