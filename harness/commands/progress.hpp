#pragma once
#include <optional>
#include <string>

#include "harness/commands/terminal.hpp"

namespace assay::harness {

/// Shows on standard error how far a run is: a bar that is redrawn on a terminal, elsewhere a line for every tenth.
class ProgressBar {
 public:
  explicit ProgressBar(Terminal terminal) : terminal_(terminal) {}
  ~ProgressBar();
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  /// `done` of `total` processes are through, `current` is running; `seconds_left` is null while nothing is known.
  void show(int done, int total, const std::string& current, std::optional<double> seconds_left);
  /// Clears the bar, so that the next print starts on a clean line.
  void clear();

 private:
  Terminal terminal_;
  bool drawn_ = false;
  int last_tenth_ = -1;
};

/// "[=====>    ] 12/60  tracing.step{mode=eager}  18 s left", cut to `width` columns.
std::string progress_line(int done, int total, const std::string& current, std::optional<double> seconds_left,
                          int width);
/// "18 s", "3 min 05 s".
std::string duration_text(double seconds);

}  // namespace assay::harness
