#pragma once
#include <bitset>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace assay::engine {

/// Every automatic optimization of the engine, as listed in controls.def; turning one off never turns another off.
enum class Control : std::uint8_t {
#define ASSAY_CONTROL(group, name, needs, summary) name,
#include "engine/controls/controls.def"
#undef ASSAY_CONTROL
};
constexpr std::size_t control_count = 0
#define ASSAY_CONTROL(group, name, needs, summary) +1
#include "engine/controls/controls.def"
#undef ASSAY_CONTROL
    ;

/// One row of the table. Where `environment_name` is not "", the control acts only if that variable had the value
/// `environment_on` or `environment_off` when the process started.
struct ControlInfo {
  Control control;
  std::string_view name;     // "engine.trace"
  std::string_view summary;  // one line, for `./assay controls`
  std::string_view environment_name, environment_on, environment_off;
};
/// In the order of the enumeration.
std::span<const ControlInfo> control_table();
/// "engine.trace".
std::string_view name(Control control);

/// The controls without which this one cannot act.
std::vector<Control> required_controls(Control control);

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

/// Applies what is process-wide (threads, denormals, primitive cache, instruction sets). Call it once, before any
/// kernel is prepared.
void apply_controls(const ControlSet& controls, int threads);

}  // namespace assay::engine
