#pragma once
#include "scenarios/machine/working_set.hpp"

namespace assay::scenarios::kernels {

/// What the machine can do at most where a kernel runs: as many threads, as many bytes, the same mix of reading and
/// writing. Both are the loops of the scenario `machine`, run in turns with the kernel.
class Roofs {
 public:
  /// `bytes`: that the kernel touches, over all threads; sets smaller than 16 KiB a thread count as these.
  Roofs(double bytes, const machine::WalkInfo& walk, int threads);

  /// Multiply-adds in registers, about 0.3 ms.
  void compute();
  double flops() const;
  /// Passes over the working set, about 0.3 ms where one pass is shorter.
  void move();
  double bytes() const { return set_.bytes_moved() * static_cast<double>(passes_); }

 private:
  int threads_;
  machine::WorkingSet set_;
  std::int64_t passes_ = 1;
};

/// The walk whose share of written bytes is nearest: reading 0, triad a third, copying a half.
const machine::WalkInfo& walk_like(double written_share);

}  // namespace assay::scenarios::kernels
