#include "engine/controls/controls.hpp"

#include <cstdlib>
#include <stdexcept>

#include "engine/controls/library.hpp"
#include "engine/core/denormals.hpp"
#include "engine/core/threads.hpp"

namespace assay::engine {
namespace {

using Mask = std::uint64_t;  // a bit for each control
static_assert(control_count <= 64);
constexpr Mask bit(Control control) { return Mask{1} << static_cast<unsigned>(control); }

std::vector<ControlInfo> make_table() {
  std::vector<ControlInfo> table{
#define ASSAY_CONTROL(group, name, needs, summary) {Control::name, #group "." #name, summary, "", "", ""},
#include "engine/controls/controls.def"
#undef ASSAY_CONTROL
  };
  ControlInfo& spin = table[static_cast<std::size_t>(Control::spin)];
  spin.environment_name = "OMP_WAIT_POLICY", spin.environment_on = "ACTIVE", spin.environment_off = "PASSIVE";
  return table;
}

/// The controls that each control needs.
constexpr Mask nothing = 0, trace = bit(Control::trace), onednn = bit(Control::onednn);
constexpr Mask requirements[]{
#define ASSAY_CONTROL(group, name, needs, summary) needs,
#include "engine/controls/controls.def"
#undef ASSAY_CONTROL
};

const ControlInfo& info(Control control) { return control_table()[static_cast<std::size_t>(control)]; }

/// Why the control cannot act, where one that it needs is off; "" where none is.
std::string missing_requirement(Control control, const ControlSet& controls) {
  for (const Control needed : required_controls(control)) {
    if (!controls.on(needed)) return std::string(name(needed)) + " is off";
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
  const ControlInfo& spin = info(Control::spin);
  const std::string variable(spin.environment_name);
  const std::string wanted(controls.on(Control::spin) ? spin.environment_on : spin.environment_off);
  // libgomp reads the variable when it is loaded, so only the value at the start counts.
  const char* found = std::getenv(variable.c_str());
  if (found != nullptr && found == wanted) return "";
  return variable + " was " + (found != nullptr ? found : "not set") + " when the process started; set it to " + wanted;
}

std::string isa_obstacle() {
  if (!onednn_present()) return "this build has no oneDNN";
  return cpu_has_more_than_avx2() ? "" : "this CPU has no instruction set above AVX2";
}

/// Why the control cannot act in this build, on this machine or in this environment; "" where it can.
std::string obstacle(Control control, const ControlSet& controls) {
  switch (control) {
    case Control::onednn:
    case Control::prepack:
      return onednn_present() ? "" : "this build has no oneDNN";
    case Control::flush_denormals:
      return denormals_switchable() ? "" : "only known for x86";
    case Control::spin:
      return spin_obstacle(controls);
    case Control::isa:
      return isa_obstacle();
    default:
      return "";
  }
}

ControlState state_of(const ControlInfo& info, const ControlSet& controls) {
  std::string reason = missing_requirement(info.control, controls);
  if (reason.empty()) reason = obstacle(info.control, controls);
  const bool acts = reason.empty();
  if (info.control == Control::cache_primitives) {
    if (const std::string none = without_onednn(controls); !none.empty())
      reason = "only the engine's own cache of kernels: " + none;
  }
  return {std::string(info.name), controls.on(info.control), acts, reason};
}

}  // namespace

std::span<const ControlInfo> control_table() {
  static const std::vector<ControlInfo> table = make_table();
  return table;
}

std::string_view name(Control control) { return info(control).name; }

std::vector<Control> required_controls(Control control) {
  std::vector<Control> result;
  for (const ControlInfo& other : control_table()) {
    if ((requirements[static_cast<std::size_t>(control)] & bit(other.control)) != 0) result.push_back(other.control);
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
    for (const ControlInfo& info : control_table()) {
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
  for (const ControlInfo& info : control_table()) states.push_back(state_of(info, controls));
  return states;
}

void apply_controls(const ControlSet& controls, int threads) {
  set_team_size(threads);
  set_flush_denormals(controls.on(Control::flush_denormals), threads);
  if (!controls.on(Control::cache_primitives)) onednn_set_primitive_cache(0);
  if (!controls.on(Control::isa) && !onednn_cap_isa_to_avx2() && onednn_present()) {
    throw std::runtime_error(
        "engine.isa: oneDNN refused the cap to AVX2; apply controls before any kernel is prepared");
  }
}

}  // namespace assay::engine
