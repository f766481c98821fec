#pragma once
#include <atomic>
#include <functional>
#include <vector>

#include <nlohmann/json.hpp>

#include "harness/run/events.hpp"
#include "harness/run/process.hpp"

namespace assay::harness {

/// What one process of a case said and how it ended.
struct CaseRun {
  std::vector<nlohmann::json> events;
  ProcessResult ended;
  Interference interference;
  double parse_ms = 0;       // of all its lines
  bool interrupted = false;  // by `stop`: no result at all
};

/// Collects the events of a process that runs, and ends it when it breaks a rule.
class CaseProcess {
 public:
  CaseProcess(const ProcessSpec& spawn, double limit_s);
  /// As Process::pump; also looks at the limits.
  bool pump(std::chrono::milliseconds timeout);
  void set_limit(double seconds_from_start);
  void terminate() { process_.terminate(); }
  void kill() { process_.kill(); }
  const std::vector<nlohmann::json>& events() const { return run_.events; }
  CaseRun result();

 private:
  void read(std::string_view line);

  Process process_;
  CaseRun run_;
  std::chrono::steady_clock::time_point begin_;
  double limit_s_;
  bool ending_ = false;  // it is being killed: what it still says does not matter
};

/// Runs one to its end. `idle` is called a few times a second while services need attention; null where there are none.
CaseRun run_to_end(const ProcessSpec& spawn, double limit_s, const std::atomic<bool>& stop,
                   const std::function<void()>& idle);

}  // namespace assay::harness
