#include "harness/run/case_process.hpp"

#include <algorithm>
#include <stdexcept>

namespace assay::harness {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point begin) { return std::chrono::duration<double>(Clock::now() - begin).count(); }

}  // namespace

CaseProcess::CaseProcess(const ProcessSpec& spawn, double limit_s)
    : process_(spawn), begin_(Clock::now()), limit_s_(limit_s) {}

void CaseProcess::read(std::string_view line) {
  if (ending_ && !run_.interference.too_long) return;
  const auto begin = Clock::now();
  try {
    run_.events.push_back(read_event(line));
  } catch (const std::invalid_argument& error) {
    if (!run_.interference.too_long) run_.interference.bad_line = error.what();
    ending_ = true;
    process_.kill();
  }
  run_.parse_ms += seconds_since(begin) * 1000;
}

void CaseProcess::set_limit(double seconds_from_start) { limit_s_ = seconds_from_start; }

bool CaseProcess::pump(std::chrono::milliseconds timeout) {
  const double left = limit_s_ - seconds_since(begin_);
  if (left <= 0 && !ending_) {
    ending_ = run_.interference.too_long = true;
    run_.interference.limit_s = limit_s_;
    process_.terminate();
  }
  if (!ending_) timeout = std::min(timeout, std::chrono::milliseconds(static_cast<std::int64_t>(left * 1000) + 1));
  if (!process_.pump(timeout, [this](std::string_view line) { read(line); })) return false;
  if (process_.output_bytes() > output_limit && !run_.interference.too_much) {
    if (!ending_) run_.interference.too_much = true;
    ending_ = true;
    process_.kill();
  }
  return true;
}

CaseRun CaseProcess::result() {
  run_.ended = process_.ended();
  return std::move(run_);
}

CaseRun run_to_end(const ProcessSpec& spawn, double limit_s, const std::atomic<bool>& stop,
                   const std::function<void()>& idle) {
  // A signal ends the wait at once, unless it came just before: then the next look at `stop` is this far away. Rare
  // wake-ups disturb nobody.
  const auto wait = std::chrono::milliseconds(idle ? 50 : 250);
  CaseProcess process(spawn, limit_s);
  bool interrupted = false;
  while (process.pump(wait)) {
    if (stop && !interrupted) {
      interrupted = true;
      process.kill();
    }
    if (idle) idle();
  }
  CaseRun run = process.result();
  run.interrupted = interrupted;
  return run;
}

}  // namespace assay::harness
