#pragma once
#include "engine/kernels/backend.hpp"

namespace assay::engine {

/// What the calling thread's operations are prepared for: threads and controls.
struct Settings {
  int threads = 1;
  ControlSet controls{};
  /// Restricts operations to one back end, for tests; null otherwise.
  const Backend* only = nullptr;
  /// Threads of plans that change no variable, as they were measured (engine/exec/choose_threads.hpp), under
  /// engine.choose_threads; 0: not measured, as many as `threads`.
  int inference_threads = 0;

  bool operator==(const Settings&) const = default;
};

const Settings& settings();
/// Of this thread, from now on.
void set_settings(const Settings& settings);

/// Settings for a block; the former ones come back at its end.
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
