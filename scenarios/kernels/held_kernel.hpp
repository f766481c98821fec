#pragma once
#include <memory>

#include <nlohmann/json.hpp>

#include "scenarios/kernels/buffers.hpp"
#include "scenarios/kernels/roofs.hpp"

namespace assay::scenarios::kernels {

/// What rounding may do to HeldKernel::error(): the longest sum, a first convolution's weights' gradient over 86,528
/// products in float32, may be off by sqrt(86528) x 2^-24 = 1.8e-5, three times that in the worst of its entries.
constexpr double error_limit = 5e-5;

/// The kernel that the engine picks for a size, prepared and filled.
class HeldKernel {
 public:
  /// `controls` must outlive it. Throws engine::Unsupported where no back end has a kernel.
  HeldKernel(const Size& size, int threads, const engine::ControlSet& controls);

  /// One call; allocates nothing.
  void run() { buffers_->run(); }
  const engine::KernelInfo& info() const { return buffers_->prepared().info; }
  double flops() const { return flops_; }
  /// Read plus written by one run, as the types count; a fused bias is read once, padding of a packed layout counts.
  double bytes() const;
  Traffic traffic() const;

  /// Runs once and compares with the reference kernel, which computes in float64: largest relative error of all
  /// outputs. Of large products only 16 rows spread over the result. Call before other runs: updates change their
  /// inputs.
  double error();

 private:
  Size size_;
  engine::Target target_;
  double flops_;
  std::unique_ptr<Buffers> buffers_;
};

}  // namespace assay::scenarios::kernels
