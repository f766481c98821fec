#include "engine/data/statistics.hpp"

#include <algorithm>
#include <cstdio>

namespace assay::engine {
namespace {

bool is_input_of(const StageStatistics& stage, const std::string& path) {
  return stage.path.size() > path.size() && stage.path.starts_with(path + ".") &&
         stage.path.find('.', path.size() + 1) == std::string::npos;
}

std::string percent(double share) { return std::to_string(static_cast<int>(100 * share + 0.5)) + " %"; }

std::string in_ms(double ns) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.2f ms", ns * 1e-6);
  return text.data();
}

}  // namespace

PipelineStatistics statistics_of(const Reading& reading, double waiting, double training) {
  PipelineStatistics result;
  result.waiting = waiting;
  result.training = training;
  result.threads = reading.threads();
  result.most_threads = reading.most_threads();
  const auto states = reading.states();
  for (const StageState* state : states) {
    result.stages.push_back({.path = state->path,
                             .description = state->description,
                             .elements = state->counters.elements.get(),
                             .blocked_on_output = static_cast<double>(state->counters.blocked.get()),
                             .threads = state->knobs.workers.load(),
                             .most_at_once = static_cast<int>(state->most_at_once.get())});
  }
  for (std::size_t i = 0; i < states.size(); ++i) {
    StageStatistics& stage = result.stages[i];
    for (std::size_t j = 0; j < states.size(); ++j) {
      if (is_input_of(result.stages[j], stage.path))
        stage.waiting_for_input += static_cast<double>(states[j]->counters.pulled.get());
    }
    const StageCounters& counters = states[i]->counters;
    // A stage that may have threads counts its work; another's is what is left of the time in which it was asked.
    stage.busy = states[i]->opened
                     ? static_cast<double>(counters.worked.get())
                     : std::max(0.0, static_cast<double>(counters.pulled.get()) - stage.waiting_for_input);
  }
  return result;
}

std::string bottleneck(const PipelineStatistics& statistics) {
  if (statistics.stages.empty() || statistics.waiting + statistics.training <= 0) return "nothing was read yet";
  const auto load = [](const StageStatistics& stage) { return stage.busy / std::max(1, stage.threads + 1); };
  const auto worst = std::max_element(statistics.stages.begin(), statistics.stages.end(),
                                      [&](const auto& a, const auto& b) { return load(a) < load(b); });
  double busy = 0;
  for (const auto& stage : statistics.stages) busy += stage.busy;
  const std::string share = percent(busy > 0 ? worst->busy / busy : 0);
  if (statistics.waiting_share() < 0.05) {
    return "the consumer: it waits " + percent(statistics.waiting_share()) +
           " of its time, so that a faster pipeline would gain no more than that";
  }
  return worst->description + ": " + share + " of the pipeline's work (" + in_ms(worst->busy) +
         (worst->threads > 0 ? " on " + threads_text(worst->threads) + " of its own" : " on the asking thread") +
         "), while the consumer waits " + percent(statistics.waiting_share()) + " of its time";
}

std::string to_string(const PipelineStatistics& statistics) {
  std::string text = "stage | elements | busy | waiting for input | blocked on output | threads\n";
  for (const auto& stage : statistics.stages) {
    const auto depth = static_cast<std::size_t>(std::count(stage.path.begin(), stage.path.end(), '.'));
    text += std::string(2 * depth, ' ') + stage.description + " | " + std::to_string(stage.elements) + " | " +
            in_ms(stage.busy) + " | " + in_ms(stage.waiting_for_input) + " | " + in_ms(stage.blocked_on_output) +
            " | " + std::to_string(stage.threads) + "\n";
  }
  return text + bottleneck(statistics) + "\n";
}

}  // namespace assay::engine
