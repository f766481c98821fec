#pragma once
#include <atomic>
#include <functional>

#include "harness/cases/program.hpp"
#include "harness/commands/progress.hpp"
#include "harness/run/runner.hpp"

namespace assay::harness {

/// From now on SIGINT, SIGTERM and SIGHUP set what is returned, and end nothing by themselves. One that was ignored
/// when the program started stays ignored: `nohup` ignores SIGHUP, a script SIGINT for its background jobs.
const std::atomic<bool>& stop_on_signals();

/// Throws UsageError where ASSAY_LOAD_LIMIT holds no share.
void check_load_limit();

/// This machine: its key and identity, and its state with the doctor's findings.
HostContext host_context(const Program& program);

/// Shows the progress of a run by a bar that outlives it.
std::function<void(const Progress&)> progress_shown_by(ProgressBar& bar);

}  // namespace assay::harness
