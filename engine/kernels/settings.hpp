#pragma once
#include "engine/kernels/backend.hpp"

namespace assay::engine {

/// What the operations of a thread are prepared for.
struct Settings {
  int threads = 1;
  ControlSet controls{};
  /// Restricts operations to one back end, for tests; null otherwise.
  const Backend* only = nullptr;
  /// Under engine.choose_threads: the threads of plans that change no variable, as measured by
  /// engine/exec/choose_threads.hpp. 0: not measured, so as many as `threads`.
  int inference_threads = 0;

  bool operator==(const Settings&) const = default;
};

/// The target of kernels prepared under these settings, which must outlive it.
inline Target target_for(const Settings& settings) { return {Device::cpu, settings.threads, &settings.controls}; }

/// The settings of this thread.
const Settings& settings();
/// Sets them and the size of the thread's team.
void set_settings(const Settings& settings);

/// Settings for a scope; the former ones return at its end.
class SettingsScope {
 public:
  explicit SettingsScope(const Settings& wanted) : before_(settings()) { set_settings(wanted); }
  ~SettingsScope() { set_settings(before_); }
  SettingsScope(const SettingsScope&) = delete;
  SettingsScope& operator=(const SettingsScope&) = delete;

 private:
  Settings before_;
};

}  // namespace assay::engine
