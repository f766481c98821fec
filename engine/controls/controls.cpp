#include "engine/controls/controls.hpp"

#include <cstdlib>
#include <stdexcept>

#include "engine/controls/library.hpp"
#include "engine/core/denormals.hpp"
#include "engine/core/threads.hpp"

namespace assay::engine {
namespace {

constexpr std::array<ControlInfo, control_count> table{{
    {Control::trace, "engine.trace",
     "record a function once, plan it and replay the plan; off runs operation by operation", "", "", ""},
    {Control::onednn, "engine.onednn", "use oneDNN's kernels where it has one; off uses threaded Eigen", "", "", ""},
    {Control::cache_primitives, "engine.cache_primitives",
     "keep prepared kernels and oneDNN's primitives for the next call with the same shapes", "", "", ""},
    {Control::fold_constants, "engine.fold_constants",
     "constant folding: compute once, while planning, what depends on constants alone", "", "", ""},
    {Control::cse, "engine.cse", "common subexpression elimination: compute equal operations on equal inputs once", "",
     "", ""},
    {Control::dce, "engine.dce", "dead code elimination: remove operations that no result and no variable needs", "",
     "", ""},
    {Control::hoist_relu_gradient, "engine.hoist_relu_gradient",
     "apply a ReLU's gradient before the gradient of max-pooling, on a fraction of the elements", "", "", ""},
    {Control::fuse_casts, "engine.fuse_casts",
     "let sums of 16-bit products be written in float32 instead of rounding them and widening them again", "", "", ""},
    {Control::prepack, "engine.prepack", "keep weights in oneDNN's blocked layout across steps", "", "", ""},
    {Control::fuse_epilogue, "engine.fuse_epilogue",
     "add the bias and apply the ReLU inside the matrix product or convolution; sum the bias's gradient inside the "
     "weights'",
     "", "", ""},
    {Control::fuse_elementwise, "engine.fuse_elementwise",
     "run element-wise operations that follow each other as one, block by block in the cache", "", "", ""},
    {Control::fuse_update, "engine.fuse_update", "update all parameters in one kernel instead of one kernel a tensor",
     "", "", ""},
    {Control::tile_batch, "engine.tile_batch",
     "run convolutions and poolings on tiles of the batch, so that the values between them stay in the cache", "", "",
     ""},
    {Control::plan_memory, "engine.plan_memory",
     "let values of a plan that are never needed at once share memory in one arena; off gives each its own", "", "",
     ""},
    {Control::choose_threads, "engine.choose_threads",
     "run inference plans on the number of threads that was measured to be the fastest, where a case passes one "
     "(models.call)",
     "", "", ""},
    {Control::flush_denormals, "engine.flush_denormals", "treat denormal numbers as zero", "", "", ""},
    {Control::spin, "engine.spin", "OpenMP threads wait by spinning; off lets them sleep", "OMP_WAIT_POLICY", "ACTIVE",
     "PASSIVE"},
    {Control::isa, "engine.isa", "oneDNN uses every instruction set of this CPU; off limits it to AVX2", "", "", ""},
    {Control::parallelize_map, "data.parallelize_map",
     "run a pipeline's sequential maps on several threads where they keep no state", "", "", ""},
    {Control::fuse_map_batch, "data.fuse_map_batch",
     "let a map write its results straight into the rows of the batch that follows", "", "", ""},
    {Control::inject_prefetch, "data.inject_prefetch", "add a prefetch at the end of a pipeline that has none", "", "",
     ""},
    {Control::fuse_shuffle_repeat, "data.fuse_shuffle_repeat",
     "fill the next epoch's shuffle buffer while this epoch's is emptied", "", "", ""},
    {Control::remove_noops, "data.remove_noops", "remove a pipeline's stages that change nothing", "", "", ""},
    {Control::autotune, "data.autotune",
     "choose a pipeline's threads and buffers from measured times; off uses every core and fixed depths", "", "", ""},
}};

constexpr bool in_order() {
  for (std::size_t i = 0; i < table.size(); ++i) {
    if (static_cast<std::size_t>(table[i].control) != i) return false;
  }
  return true;
}
static_assert(in_order(), "the table is indexed by the enumeration");

struct Dependence {
  Control control, needed;
};
constexpr Dependence dependences[]{
    {Control::fold_constants, Control::trace},
    {Control::cse, Control::trace},
    {Control::dce, Control::trace},
    {Control::hoist_relu_gradient, Control::trace},
    {Control::fuse_casts, Control::trace},
    {Control::prepack, Control::trace},
    {Control::prepack, Control::onednn},
    {Control::fuse_epilogue, Control::trace},
    {Control::fuse_elementwise, Control::trace},
    {Control::fuse_update, Control::trace},
    {Control::tile_batch, Control::trace},
    {Control::plan_memory, Control::trace},
    {Control::choose_threads, Control::trace},
    {Control::isa, Control::onednn},
};

std::string_view name_of(Control control) { return table[static_cast<std::size_t>(control)].name; }

/// Why the control cannot act, where one that it needs is off; "" where none is.
std::string missing_requirement(Control control, const ControlSet& controls) {
  for (const Control needed : needs(control)) {
    if (!controls.on(needed)) return std::string(name_of(needed)) + " is off";
  }
  return "";
}

bool cpu_has_more_than_avx2() {
#if defined(__x86_64__) || defined(__i386__)
  return __builtin_cpu_supports("avx512f") != 0;
#else
  return false;
#endif
}

/// Why oneDNN is not used; "" where it is.
std::string without_onednn(const ControlSet& controls) {
  if (!onednn_present()) return "this build has no oneDNN";
  if (!controls.on(Control::onednn)) return "engine.onednn is off";
  return "";
}

std::string spin_obstacle(const ControlSet& controls) {
  if (!threads_available()) return "this build has no OpenMP";
  const ControlInfo& info = table[static_cast<std::size_t>(Control::spin)];
  const std::string wanted(controls.on(Control::spin) ? info.environment_on : info.environment_off);
  // libgomp reads the variable when it is loaded, so only the value at the start counts.
  const char* found = std::getenv(std::string(info.environment_name).c_str());
  if (found != nullptr && found == wanted) return "";
  return std::string(info.environment_name) + " was " + (found != nullptr ? found : "not set") +
         " when the process started; set it to " + wanted;
}

std::string isa_obstacle() {
  if (!onednn_present()) return "this build has no oneDNN";
  return cpu_has_more_than_avx2() ? "" : "this CPU has no instruction set above AVX2";
}

ControlState state_of(const ControlInfo& info, const ControlSet& controls) {
  ControlState state{std::string(info.name), controls.on(info.control), true, ""};
  const auto blocked_by = [&](std::string reason) {
    state.acts = reason.empty();
    state.reason = std::move(reason);
  };
  if (std::string lacking = missing_requirement(info.control, controls); !lacking.empty()) {
    blocked_by(std::move(lacking));
    return state;
  }
  switch (info.control) {
    case Control::onednn:
      blocked_by(onednn_present() ? "" : "this build has no oneDNN");
      break;
    case Control::cache_primitives:
      if (const std::string reason = without_onednn(controls); !reason.empty()) {
        state.reason = "only the engine's own cache of kernels: " + reason;
      }
      break;
    case Control::prepack:
      blocked_by(onednn_present() ? "" : "this build has no oneDNN");
      break;
    case Control::flush_denormals:
      blocked_by(denormals_switchable() ? "" : "only known for x86");
      break;
    case Control::spin:
      blocked_by(spin_obstacle(controls));
      break;
    case Control::isa:
      blocked_by(isa_obstacle());
      break;
    default:
      break;  // acts everywhere
  }
  return state;
}

}  // namespace

std::span<const ControlInfo> control_table() { return table; }

std::vector<Control> needs(Control control) {
  std::vector<Control> result;
  for (const Dependence& one : dependences) {
    if (one.control == control) result.push_back(one.needed);
  }
  return result;
}

ControlSet ControlSet::without(Control control) const {
  ControlSet changed = *this;
  changed.off_.set(static_cast<std::size_t>(control));
  return changed;
}

ControlSet ControlSet::without(std::span<const std::string> names) {
  ControlSet controls;
  for (const std::string& name : names) {
    bool known = name == "all";
    std::string valid = "all";
    for (const ControlInfo& info : table) {
      valid += ", " + std::string(info.name);
      if (name != "all" && name != info.name) continue;
      known = true;
      controls = controls.without(info.control);
    }
    if (!known) throw std::invalid_argument("unknown control '" + name + "'; expected one of " + valid);
  }
  return controls;
}

std::vector<ControlState> control_states(const ControlSet& controls) {
  std::vector<ControlState> states;
  for (const ControlInfo& info : table) states.push_back(state_of(info, controls));
  return states;
}

void apply(const ControlSet& controls, int threads) {
  set_team_size(threads);
  set_flush_denormals(controls.on(Control::flush_denormals), threads);
  if (!controls.on(Control::cache_primitives)) onednn_set_primitive_cache(0);
  if (!controls.on(Control::isa) && !onednn_cap_isa_to_avx2() && onednn_present()) {
    throw std::runtime_error(
        "engine.isa: oneDNN refused the cap to AVX2; apply controls before any kernel is prepared");
  }
}

}  // namespace assay::engine
