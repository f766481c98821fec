#pragma once
#include "engine/core/threads.hpp"
#include "engine/kernels/onednn/layout.hpp"
#include "engine/kernels/onednn/primitive_kernel.hpp"

namespace assay::engine::onednn {

/// A tensor of an operation as oneDNN sees it.
struct Operand {
  int argument;        // DNNL_ARG_SRC, …
  Binding::From from;  // input or output
  std::size_t index;   // of the request's in or out
  dnnl::memory::desc plain;
  dnnl::memory::desc used;  // what the primitive was created for
};

/// What a family hands over once oneDNN has a primitive descriptor.
struct Assembly {
  std::string implementation;
  dnnl::primitive primitive;
  dnnl::memory::desc scratchpad;
  std::vector<Operand> operands;
};

/// The answer: `any` becomes what the primitive uses; a tensor asked for in another layout than that is reordered in
/// the workspace, before the primitive for an input, after it for an output.
Prepared assemble(const Request& request, Assembly assembly, double flops, int threads);

/// Calls create(exact), which builds an Assembly with weights in the layout asked for (exact) or in oneDNN's own
/// choice. `reorders` says that a plain layout is only asked for outside the kernel, so that oneDNN's choice comes
/// first. Declines reference implementations. Throws Unsupported.
template <class Create>
Assembly best_of(bool reorders, Create&& create) {
  const auto attempt = [&](bool exact) {
    try {
      Assembly assembly = create(exact);
      if (assembly.implementation.find("ref") != std::string::npos) {
        throw Unsupported("only a reference implementation (" + assembly.implementation + ")");
      }
      return assembly;
    } catch (const dnnl::error& error) {
      throw Unsupported("no implementation for these types and shapes (" + std::string(error.what()) + ")");
    }
  };
  try {
    return attempt(!reorders);
  } catch (const Unsupported&) {
    return attempt(reorders);
  }
}

/// The assembly with one more operand where there is a bias.
Assembly with_bias(Assembly assembly, bool bias, const Operand& operand);

/// Whether a weights' gradient (two inputs) is asked for with the bias's as a second output. Throws Unsupported.
bool require_bias_gradient(const Request& request);

/// Element types of a product or convolution.
struct Types {
  dnnl::memory::data_type factors, result, bias;
};
/// The types of a request whose inputs are all float32, bfloat16 or float16; a weights' gradient and its bias's may
/// also be float32, which is what the sums are made in. Throws Unsupported for others, for a type that this CPU has no
/// instructions for (oneDNN would imitate it, slower than float32), and for tensors without elements.
Types require_types(const Request& request);
/// Throws Unsupported where this CPU (or the cap of engine.isa) has no instructions for products of the type.
void require_native(DType dtype);

/// Threads of the request's work, set as the team size, which oneDNN reads while it creates a primitive.
int team_for(const Request& request, double flops);

}  // namespace assay::engine::onednn
