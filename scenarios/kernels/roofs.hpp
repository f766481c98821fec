#pragma once
#include <functional>
#include <memory>
#include <string>

#include "scenarios/machine/working_set.hpp"

namespace assay::scenarios::kernels {

/// How a kernel goes through memory: what a walk must be like to be its roof.
struct Traffic {
  double footprint = 0;      // bytes of the memory that it lies in, over all threads
  double written_share = 0;  // of its bytes; 0 for a reduction, 1 for a broadcast
  bool in_place = false;     // writes where it has read

  /// "read", "triad", "copy" or "triad in place": the walk whose mix is nearest.
  std::string walk() const;
};

/// What the machine can do at most where a kernel runs: as many threads, as much memory, the same mix of reading and
/// writing. Both are loops of the scenario `machine`, run in turns with the kernel.
class Roofs {
 public:
  /// Memory smaller than 16 KiB a thread counts as this.
  Roofs(const Traffic& traffic, int threads);

  /// Multiply-adds in registers, about 0.3 ms.
  void compute();
  double flops() const;
  /// Passes over the memory, about 0.3 ms where one pass is shorter.
  void move() { walk_(passes_); }
  double bytes() const { return bytes_a_pass_ * static_cast<double>(passes_); }

 private:
  template <class Set>
  void hold(std::shared_ptr<Set> set);

  int threads_;
  std::function<void(std::int64_t passes)> walk_;
  double bytes_a_pass_ = 0;
  std::int64_t passes_ = 1;
};

/// The walk whose share of written bytes is nearest: reading 0, triad a third, copying a half.
const machine::WalkInfo& walk_like(double written_share);

}  // namespace assay::scenarios::kernels
