#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "engine/core/storage.hpp"
#include "engine/kernels/backend.hpp"
#include "harness/cases/parameters.hpp"

namespace assay::scenarios::machine {

/// A prepared product of two square matrices with its buffers, filled: run() is one call of the kernel and no more.
class HeldMatmul {
 public:
  /// With the controls that `parameters` leaves in force. Throws harness::Skipped where no back end computes natively
  /// in the dtype.
  HeldMatmul(engine::DType dtype, std::int64_t side, int threads, const harness::Parameters& parameters);

  void run();
  /// Operations of one run; a multiply-add counts two.
  double operations() const;
  /// What ran, for the event `choice`.
  nlohmann::json choice() const;

  /// The largest error of 64 entries spread over the result, computed again, in more than their precision, from the
  /// stored inputs: |got - exact| / sum of |a b|. Call after run().
  double error() const;
  /// What rounding may do to error() (each sum of k products in any order, and the result's own rounding).
  double error_limit() const;

 private:
  double entry_error(std::int64_t row, std::int64_t column) const;

  std::int64_t side_;
  engine::ControlSet controls_;
  engine::Prepared prepared_;
  std::vector<engine::Storage> storage_;  // inputs, outputs, workspace
  std::vector<engine::View> in_, out_;
  std::unique_ptr<engine::KernelState> state_;
  engine::Context context_;
  int threads_;
};

}  // namespace assay::scenarios::machine
