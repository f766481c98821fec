#include "engine/data/statistics.hpp"

#include <algorithm>
#include <cstdio>

#include "engine/data/work.hpp"

namespace assay::engine {
namespace {

std::string percent(double share) { return std::to_string(static_cast<int>(100 * share + 0.5)) + " %"; }

std::string in_ms(double ns) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.2f ms", ns * 1e-6);
  return text.data();
}

}  // namespace

PipelineStatistics statistics_of(const Reading& reading, const CountsByPath& before, double waiting, double training) {
  PipelineStatistics result;
  result.waiting = waiting;
  result.training = training;
  result.threads = reading.threads();
  result.most_threads = reading.most_threads();
  const auto work = work_since(reading, before);
  for (const StageWork& one : work) {
    std::string asked_by;  // the nearest above that has threads: the longest path of these
    for (const StageWork& other : work) {
      if (is_above(*other.state, *one.state) && other.state->knobs.workers.load() > 0)
        asked_by = other.state->description;
    }
    result.stages.push_back({.path = one.state->path,
                             .description = one.state->description,
                             .elements = one.since.elements,
                             .busy = one.own,
                             .waiting_for_input = one.asking,
                             .blocked_on_output = static_cast<double>(one.since.blocked),
                             .threads = one.state->knobs.workers.load(),
                             .asked_by = asked_by,
                             .most_at_once = static_cast<int>(one.state->most_at_once.get())});
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
  const std::string asking = worst->asked_by.empty() ? "the asking thread" : "the thread of " + worst->asked_by;
  return worst->description + ": " + share + " of the pipeline's work (" + in_ms(worst->busy) + " on " +
         (worst->threads > 0 ? threads_text(worst->threads) + " of its own and " : "") + asking +
         "), while the consumer waits " + percent(statistics.waiting_share()) + " of its time";
}

std::string table(const PipelineStatistics& statistics) {
  std::string text = "stage | elements | busy | waiting for input | blocked on output | threads\n";
  for (const auto& stage : statistics.stages) {
    const auto depth = static_cast<std::size_t>(std::count(stage.path.begin(), stage.path.end(), '.'));
    text += std::string(2 * depth, ' ') + stage.description + " | " + std::to_string(stage.elements) + " | " +
            in_ms(stage.busy) + " | " + in_ms(stage.waiting_for_input) + " | " + in_ms(stage.blocked_on_output) +
            " | " + std::to_string(stage.threads) + "\n";
  }
  return text;
}

}  // namespace assay::engine
