#include "engine/data/statistics.hpp"

#include <algorithm>
#include <array>
#include <cstdio>

#include "engine/data/stage_profile.hpp"
#include "engine/data/threads_needed.hpp"

namespace assay::engine {
namespace {

std::string percent(double share) { return std::to_string(static_cast<int>(100 * share + 0.5)) + " %"; }

std::string in_ms(double ns) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.2f ms", ns * 1e-6);
  return text.data();
}

}  // namespace

PipelineStatistics statistics_of(const PipelineContext& pipeline, const CountsByPath& before, double waiting,
                                 double training) {
  PipelineStatistics result{.stages = {},
                            .waiting = waiting,
                            .training = training,
                            .threads = pipeline.threads(),
                            .peak_threads = pipeline.peak_threads()};
  const auto profiles = profile_since(pipeline, before);
  for (const StageProfile& profile : profiles) {
    std::string asked_by;  // of the stages with threads that read this one, the nearest: it comes last
    for (const StageProfile& other : profiles) {
      if (reads_from(*other.state, *profile.state) && other.state->tunables.workers.load() > 0)
        asked_by = other.state->description;
    }
    result.stages.push_back({.path = profile.state->path,
                             .description = profile.state->description,
                             .elements = profile.since.elements,
                             .busy = profile.own_work,
                             .waiting_for_input = profile.inputs,
                             .blocked_on_output = static_cast<double>(profile.since.blocked),
                             .threads = profile.state->tunables.workers.load(),
                             .asked_by = asked_by,
                             .max_concurrency = static_cast<int>(profile.state->max_concurrency.get())});
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
