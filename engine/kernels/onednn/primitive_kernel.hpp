#pragma once
#include <oneapi/dnnl/dnnl.hpp>

#include "engine/kernels/epilogue.hpp"

namespace assay::engine::onednn {

/// The one CPU engine.
const dnnl::engine& cpu();

/// Scratchpads are ours (Context::workspace): the only mode in which one primitive may run on two threads at once.
dnnl::primitive_attr user_scratchpad();

/// Where a primitive's argument lies at run time: an input, an output, or `place` bytes into the workspace.
struct Binding {
  enum class From { input, output, workspace };
  int argument = 0;
  From from = From::input;
  std::size_t place = 0;
  dnnl::memory::desc desc;
};

/// One primitive with its arguments.
struct Stage {
  dnnl::primitive primitive;
  std::vector<Binding> bindings;
};

/// Runs stages one after the other with a fixed team, then the ReLU on the first output, where there is one: oneDNN's
/// own post-operation turns NaN into 0. Memory objects live in the execution's state; a run only moves
/// pointers into them and calls the C interface, which allocates nothing.
class PrimitiveKernel final : public Kernel {
 public:
  PrimitiveKernel(std::vector<Stage> stages, std::shared_ptr<const Kernel> relu, int threads)
      : stages_(std::move(stages)), relu_(std::move(relu)), threads_(threads) {}

  std::unique_ptr<KernelState> make_state() const override;
  void run(std::span<const View> in, std::span<const View> out, Context& context) const override;

 private:
  std::vector<Stage> stages_;
  std::shared_ptr<const Kernel> relu_;  // null: none
  int threads_;
};

}  // namespace assay::engine::onednn
