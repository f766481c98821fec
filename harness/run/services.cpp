#include "harness/run/services.hpp"

#include <csignal>
#include <limits>
#include <stdexcept>

#include "harness/cases/case_id.hpp"

namespace assay::harness {
namespace {

/// A service says no `finish` when SIGTERM ends it: having been ready, and ending by our signal or with exit 0, is its
/// success.
CaseOutcome outcome_of_service(const CaseRun& run, bool was_ready, const std::string& case_name) {
  const bool fine = was_ready && run.interference.bad_line.empty() && !run.interference.too_much &&
                    !run.interference.too_long &&
                    (run.ended.signal == SIGTERM || (run.ended.signal == 0 && run.ended.code == 0));
  return fine ? CaseOutcome{"ok", ""} : outcome_of(run.events, run.ended, run.interference, case_name);
}

}  // namespace

bool Services::runs(const ProgramConfiguration& service) {
  pump();
  const auto found = running_.find(service);
  if (found == running_.end()) return false;
  if (!found->second.over) return true;
  close(service, found->second);
  running_.erase(found);
  return false;
}

void Services::start(const ProgramConfiguration& service, const ProcessSpec& spawn, double limit_s,
                     const std::filesystem::path& out, const std::atomic<bool>& stop) {
  Running& running = running_[service];
  running.process = std::make_unique<CaseProcess>(spawn, limit_s);
  running.out = out;
  while (running.port == 0 && !stop && !(running.over = !running.process->pump(std::chrono::milliseconds(50))))
    for (const auto& event : running.process->events())
      if (event.at("event") == "ready") running.port = event.at("port");
  if (running.port != 0) {
    running.process->set_limit(std::numeric_limits<std::int32_t>::max());
    return;
  }
  close(service, running);
  running_.erase(service);
  throw std::runtime_error("the service " + service.label() + " was not ready: see its own record");
}

void Services::pump() {
  for (auto& [service, running] : running_)
    if (!running.over) running.over = !running.process->pump(std::chrono::milliseconds(0));
}

void Services::keep_only(const std::set<ProgramConfiguration>& needed) {
  for (auto one = running_.begin(); one != running_.end();) {
    if (needed.contains(one->first)) {
      ++one;
      continue;
    }
    close(one->first, one->second);
    one = running_.erase(one);
  }
}

void Services::close(const ProgramConfiguration& service, Running& running) {
  running.process->terminate();
  while (!running.over) running.over = !running.process->pump(std::chrono::milliseconds(50));
  const CaseRun run = running.process->result();
  SchedulePosition position;
  position.group = service.configuration;
  position.in_schedule = false;
  record_(case_record(position, service,
                      outcome_of_service(run, running.port != 0, parse_case_id(service.configuration).case_name), run,
                      cpus_, running.out));
}

}  // namespace assay::harness
