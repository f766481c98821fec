#pragma once
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace assay::harness {

/// What to start and under which conditions.
struct ProcessSpec {
  std::vector<std::string> command;                // found by PATH where it has no slash
  std::map<std::string, std::string> environment;  // added to this process's
  std::vector<int> cpus;                           // empty: those of this process
};

/// The end of a process and of everything that it started.
struct ProcessResult {
  bool started = false;                         // false: the program could not be executed
  int exec_error = 0;                           // errno of that
  int code = 0, signal = 0;                     // code of its exit, or the signal that ended it
  double wall_s = 0;                            // from the spawn to the end of the whole tree
  double spawn_ms = 0;                          // from the spawn until the program's image ran
  double steal_percent = 0;                     // of the machine's CPU time meanwhile
  std::int64_t voluntary = 0, involuntary = 0;  // context switches, waited-for children included
  int left_behind = 0;                          // processes that it left running, killed
  std::string stderr_tail;                      // the last 4 KB
};

/// A program that runs in a session of its own below a supervisor. The supervisor is a small process of the harness,
/// the subreaper of the whole tree, and holds a pipe to the harness. It kills the tree when the program ends, when the
/// harness says so, or when the pipe closes because the harness died.
class Process {
 public:
  /// Throws std::system_error if the supervisor cannot be started.
  explicit Process(const ProcessSpec& spawn);
  /// Kills what still runs.
  ~Process();
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  /// Waits at most `timeout` for output and hands each whole line of standard output (without its newline) to `line`.
  /// False once the tree has ended and its output is read. Returns early when a signal handler ran.
  bool pump(std::chrono::milliseconds timeout, const std::function<void(std::string_view)>& line);
  /// SIGTERM to the program and its group, SIGKILL to the whole tree a second later.
  void terminate();
  /// SIGKILL to the whole tree.
  void kill();
  /// Bytes of standard output so far.
  std::size_t output_bytes() const;
  /// After pump returned false.
  const ProcessResult& ended() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace assay::harness
