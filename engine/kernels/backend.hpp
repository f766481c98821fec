#pragma once
#include <cstddef>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "engine/controls/controls.hpp"
#include "engine/core/tensor_type.hpp"
#include "engine/kernels/operation.hpp"

namespace assay::engine {

enum class Device : std::uint8_t { cpu };

/// What a kernel is prepared for. `threads` is the most it may use; each back end lowers it by a fixed rule of the
/// operation's work (engine/core/threads.hpp), never by timing, since the split of a sum changes its rounding.
struct Target {
  Device device = Device::cpu;
  int threads = 1;
  const ControlSet* controls = nullptr;  // never null in use; a pointer so that Target stays assignable
};

/// What one execution keeps for one kernel (library handles bound to its buffers). Kernels themselves are shared and
/// immutable.
class KernelState {
 public:
  virtual ~KernelState() = default;
};

/// Handed to every run: the execution's scratch memory (Prepared::workspace bytes, 64-byte aligned) and its state for
/// this kernel. A device's queue joins it with the first back end that has one.
struct Context {
  std::byte* workspace = nullptr;
  KernelState* state = nullptr;
};

class Kernel {
 public:
  virtual ~Kernel() = default;
  /// Called once an execution; null where the kernel needs none.
  virtual std::unique_ptr<KernelState> make_state() const { return nullptr; }
  /// Allocates nothing, creates no primitive. Inputs and outputs may share memory only as the operation's table allows.
  virtual void run(std::span<const View> in, std::span<const View> out, Context& context) const = 0;
};

/// Arithmetic in one format.
struct Work {
  DType format = DType::float32;
  bool emulated = false;  // computed in a wider type
  double flops = 0;
};

/// What a kernel is, for `start`, reports and tests.
struct KernelInfo {
  std::string name;  // "onednn:brg:avx512_core", "eigen:matmul", "reference:matmul"
  DType compute = DType::float32;
  DType accumulate = DType::float32;
  bool emulated = false;          // of a group: whether a kernel of it is
  DType format = DType::float32;  // that is emulated, where one is and not of a group, whose parts say theirs
  int threads = 1;
  double flops = 0;                    // of one run
  double bytes = 0;                    // read and written by one run
  std::vector<std::string> fallbacks;  // "onednn: no float64 matmul on CPU": one line a back end that declined
  std::vector<Work> parts{};           // of a group: the flops of its kernels

  /// The flops by format.
  std::vector<Work> work() const {
    return parts.empty() ? std::vector{Work{emulated ? format : compute, emulated, flops}} : parts;
  }
};

/// What a back end answers: the types it chose (layouts included), its workspace in bytes, and what it is.
struct Prepared {
  std::vector<TensorType> in, out;
  std::size_t workspace = 0;
  KernelInfo info{};
  std::shared_ptr<const Kernel> kernel;
};

/// Thrown by prepare() where a back end has no kernel; what() is the reason.
class Unsupported : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class Backend {
 public:
  virtual ~Backend() = default;
  virtual std::string_view name() const = 0;
  /// Layouts of `in` and `out` may be `any` where the caller lets the back end choose. Throws Unsupported.
  virtual Prepared prepare(const Operation& operation, std::span<const TensorType> in, std::span<const TensorType> out,
                           const Target& target) const = 0;
};

const Backend& reference_backend();
const Backend& eigen_backend();
/// Throws Unsupported from every prepare() where the build has no oneDNN (kernels/no_onednn).
const Backend& onednn_backend();

/// Tries the back ends in order (oneDNN unless engine.onednn is off, Eigen, reference) and records each that declined.
/// `only` restricts it to one, for tests. Throws Unsupported with every reason where none has a kernel.
Prepared prepare(const Operation& operation, std::span<const TensorType> in, std::span<const TensorType> out,
                 const Target& target, const Backend* only = nullptr);

/// Primitives and kernels prepared since the start of the process; a replay must not move it.
std::uint64_t kernels_prepared();

}  // namespace assay::engine
