#pragma once
#include <array>
#include <bitset>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace assay::engine {

/// Every automatic optimization of the engine. The table in controls.cpp gives each its name and what it does;
/// turning one off never turns another off.
enum class Control : std::uint8_t {
  trace,
  onednn,
  cache_primitives,
  fold_constants,
  cse,
  dce,
  hoist_relu_gradient,
  fuse_casts,
  prepack,
  fuse_epilogue,
  fuse_elementwise,
  fuse_update,
  tile_batch,
  plan_memory,
  choose_threads,
  flush_denormals,
  spin,
  isa,
  parallelize_map,
  fuse_map_batch,
  inject_prefetch,
  fuse_shuffle_repeat,
  remove_noops,
  autotune
};
constexpr std::size_t control_count = static_cast<std::size_t>(Control::autotune) + 1;

/// One row of the table. Where `environment_name` is not "", the control acts only if that variable had the value
/// `environment_on` or `environment_off` when the process started.
struct ControlInfo {
  Control control;
  std::string_view name;     // "engine.trace"
  std::string_view summary;  // one line, for `./assay controls`
  std::string_view environment_name, environment_on, environment_off;
};
std::span<const ControlInfo> control_table();

/// The controls without which this one cannot act: a pass needs a trace, what is part of oneDNN needs oneDNN.
std::vector<Control> needs(Control control);

/// Which controls are on; all are, unless switched off. A value: executions and cache keys carry their own.
class ControlSet {
 public:
  bool on(Control control) const { return !off_[static_cast<std::size_t>(control)]; }
  ControlSet without(Control control) const;
  /// Names as in the table, or "all". Throws std::invalid_argument that names the unknown one.
  static ControlSet without(std::span<const std::string> names);
  bool operator==(const ControlSet&) const = default;

 private:
  std::bitset<control_count> off_;
};

/// A control in this process: on or off, and whether it can act here, with the reason where it cannot.
struct ControlState {
  std::string name;
  bool on = true;
  bool acts = true;
  std::string reason;
};
std::vector<ControlState> control_states(const ControlSet& controls);

/// Applies what is process-wide (instruction set cap, primitive cache, denormals); call once, before any kernel is
/// prepared.
void apply(const ControlSet& controls, int threads);

}  // namespace assay::engine
