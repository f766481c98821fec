#include "harness/commands/measuring.hpp"

#include <csignal>
#include <optional>
#include <stdexcept>

#include "harness/cases/lookup.hpp"
#include "harness/machine/doctor.hpp"
#include "harness/machine/gpu_clocks.hpp"
#include "harness/machine/identity.hpp"
#include "harness/machine/state.hpp"

namespace assay::harness {
namespace {

std::atomic<bool> stop_asked{false};

extern "C" void ask_to_stop(int) { stop_asked = true; }

}  // namespace

const std::atomic<bool>& stop_on_signals() {
  struct sigaction action {};
  action.sa_handler = ask_to_stop;
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction before {};
    sigaction(signal, nullptr, &before);
    if (before.sa_handler != SIG_IGN) sigaction(signal, &action, nullptr);
  }
  return stop_asked;
}

void check_load_limit() {
  try {
    load_limit();
  } catch (const std::invalid_argument& error) {
    throw UsageError(error.what());
  }
}

HostContext host_context(const Program& program) {
  check_load_limit();
  const auto identity = machine_identity(program.build);
  HostContext host;
  host.machine = {{"key", machine_key(identity)}, {"identity", identity}};
  host.state = [identity] {
    auto state = machine_state();
    if (identity.at("gpus").is_array()) state["gpu_clocks"] = gpu_clocks();
    state["doctor"] = to_json(diagnose(identity, state, environment_report()));
    return state;
  };
  return host;
}

std::function<void(const Progress&)> progress_shown_by(ProgressBar& bar) {
  return [&bar](const Progress& p) {
    bar.show(p.done, p.total, p.configuration, p.seconds_left > 0 ? std::optional(p.seconds_left) : std::nullopt);
  };
}

}  // namespace assay::harness
