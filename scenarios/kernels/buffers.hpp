#pragma once
#include <vector>

#include "engine/core/storage.hpp"
#include "engine/kernels/backend.hpp"
#include "scenarios/kernels/sizes.hpp"

namespace assay::scenarios::kernels {

/// A prepared kernel with memory for all that it touches: run() is one call of the kernel and no more. Inputs are not
/// filled. Outputs of updates lie where their inputs do, as in a plan.
class Buffers {
 public:
  Buffers(engine::Op op, engine::Prepared prepared);
  Buffers(const Buffers&) = delete;
  Buffers& operator=(const Buffers&) = delete;

  void run() { prepared_.kernel->run(in_, out_, context_); }
  const engine::Prepared& prepared() const { return prepared_; }
  const engine::View& in(std::size_t i) const { return in_[i]; }
  const engine::View& out(std::size_t i) const { return out_[i]; }

 private:
  engine::Prepared prepared_;
  std::vector<engine::Storage> storage_;
  std::vector<engine::View> in_, out_;
  std::unique_ptr<engine::KernelState> state_;
  engine::Context context_;
};

/// Fills input `i` of a size; `view` is plain. The values depend on the input alone.
void fill(const Size& size, std::size_t i, const engine::View& view);

/// Copies between layouts of one shape, through oneDNN's reorder where they differ.
void copy(const engine::View& from, const engine::View& to, const engine::Target& target);

/// The largest |a - b| over the largest |b| of two plain tensors of one type; infinite where a value is not finite.
double relative_error(const engine::View& a, const engine::View& b);

}  // namespace assay::scenarios::kernels
