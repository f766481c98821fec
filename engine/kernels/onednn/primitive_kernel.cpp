#include "engine/kernels/onednn/primitive_kernel.hpp"

#include "engine/core/threads.hpp"

namespace assay::engine::onednn {
namespace {

/// The memory objects of one stage, and the C argument list over them.
struct StageState {
  std::vector<dnnl::memory> memories;
  std::vector<const void*> places;  // where each points now
  std::vector<dnnl_exec_arg_t> arguments;
};

class PrimitiveState final : public KernelState {
 public:
  explicit PrimitiveState(const std::vector<Stage>& prepared) : stream(cpu()) {
    for (const Stage& stage : prepared) {
      StageState& state = stages.emplace_back();
      for (const Binding& binding : stage.bindings) {
        state.memories.emplace_back(binding.desc, cpu(), nullptr);
        state.places.push_back(nullptr);
        state.arguments.push_back({binding.argument, state.memories.back().get()});
      }
    }
  }

  dnnl::stream stream;
  std::vector<StageState> stages;
};

std::byte* place_of(const Binding& binding, std::span<const View> in, std::span<const View> out,
                    const Context& context) {
  switch (binding.from) {
    case Binding::From::input:
      return in[binding.place].data;
    case Binding::From::output:
      return out[binding.place].data;
    case Binding::From::workspace:
      break;
  }
  return context.workspace + binding.place;
}

}  // namespace

const dnnl::engine& cpu() {
  static const dnnl::engine engine(dnnl::engine::kind::cpu, 0);
  return engine;
}

dnnl::primitive_attr user_scratchpad() {
  dnnl::primitive_attr attributes;
  attributes.set_scratchpad_mode(dnnl::scratchpad_mode::user);
  return attributes;
}

std::unique_ptr<KernelState> PrimitiveKernel::make_state() const { return std::make_unique<PrimitiveState>(stages_); }

void PrimitiveKernel::run(std::span<const View> in, std::span<const View> out, Context& context) const {
  if (context.state == nullptr) throw std::logic_error("a oneDNN kernel ran without the state that make_state() gives");
  auto& state = static_cast<PrimitiveState&>(*context.state);
  set_team_size(threads_);
  for (std::size_t i = 0; i < stages_.size(); ++i) {
    StageState& stage = state.stages[i];
    for (std::size_t j = 0; j < stage.places.size(); ++j) {
      std::byte* place = place_of(stages_[i].bindings[j], in, out, context);
      if (place == stage.places[j]) continue;
      stage.places[j] = place;
      dnnl_memory_set_data_handle(stage.arguments[j].memory, place);
    }
    const dnnl_status_t status =
        dnnl_primitive_execute(stages_[i].primitive.get(), state.stream.get(), static_cast<int>(stage.arguments.size()),
                               stage.arguments.data());
    if (status != dnnl_success) throw std::runtime_error("oneDNN failed with status " + std::to_string(status));
  }
  if (relu_) relu_->run(out.first(1), out.first(1), context);
}

}  // namespace assay::engine::onednn
