#include "engine/data/autotune.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <functional>

namespace assay::engine {
namespace {

/// Handing an element or a job to another thread takes some us. A prefetch must hide more than that. A job of a map
/// must be ten times as long.
constexpr double hand_over_ns = 5000, min_job_ns = 50000;

std::string us(double ns) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.1f us", ns * 1e-3);
  return text.data();
}

std::string describe(const ThreadLoad& load) {
  return us(load.work) + " of work and " + us(load.training) + " of training an element, " +
         std::to_string(load.cores) + " cores, " + threads_text(load.training_threads) + " of training";
}

std::string no_core(const ThreadLoad& load) {
  return "no core is left for it: training uses " + std::to_string(load.training_threads) + " of " +
         std::to_string(load.cores) + (load.training_threads < load.cores ? ", and other stages the rest" : "");
}

bool tunes_map(const Tunables& tunables) { return tunables.tunes_workers && tunables.calls_map; }

}  // namespace

Autotuner::Budget Autotuner::budget(const std::vector<StageProfile>& stages, const ConsumerProgress& since,
                                    std::int64_t epoch) const {
  const auto count = static_cast<double>(since.elements);
  Budget result{.load = {.training = since.training / count,
                         .cores = pipeline_.options.cores,
                         .training_threads = pipeline_.options.training_threads},
                .elements = static_cast<double>(epoch)};
  for (const StageProfile& stage : stages) {
    const Tunables& tunables = stage.state->tunables;
    const int set_by_user = tunables.tunes_workers ? 0 : tunables.workers.load();
    const double work = stage.own_work / count;
    result.load.work += work;
    if (tunes_map(tunables))
      result.tunable_work += work;
    else if (set_by_user == 0)
      result.serial_work += work;
    result.threads += set_by_user;
    result.map_threads += tunables.calls_map ? set_by_user : 0;
  }
  return result;
}

void Autotuner::update(const ConsumerProgress& progress) {
  const ConsumerProgress since{.elements = progress.elements - progress_.elements,
                               .training = progress.training - progress_.training};
  progress_ = progress;
  if (since.elements <= 0) return;
  auto stages = profile_since(pipeline_, seen_);
  for (const StageProfile& stage : stages) seen_[stage.state->path] = stage.now;
  Budget left = budget(stages, since, progress.elements_per_epoch);
  // Prefetches come first, because they decide whether the consumer's core works on maps. Then come the maps, those
  // with most work first.
  for (const StageProfile& stage : stages) {
    const Tunables& tunables = stage.state->tunables;
    if (tunables.tunes_workers && !tunables.calls_map) tune_prefetch(stage, left);
  }
  std::ranges::stable_sort(stages, std::greater{}, &StageProfile::own_work);
  double depths = 0;
  for (const StageProfile& stage : stages) {
    if (tunes_map(stage.state->tunables)) tune_map(stage, left, stages, static_cast<double>(since.elements));
    depths += stage.state->tunables.tunes_depth ? 1 : 0;
  }
  for (const StageProfile& stage : stages) {
    if (stage.state->tunables.tunes_depth) tune_depth(stage, static_cast<double>(pipeline_.options.memory) / depths);
  }
}

void Autotuner::tune_prefetch(const StageProfile& stage, Budget& budget) {
  const ThreadLoad& load = budget.load;
  // A share of the whole time of an element, maps included. Behind a map of 14 us a row on 2 cores, with a consumer
  // that only counts rows, handing over took 8 % of an epoch.
  const double min_ns = min_thread_share * (load.work + load.training);
  const double hidden = std::min(budget.serial_work, load.training);
  std::string against;
  if (load.training < min_ns)
    against = "the consumer does nothing in between that a thread could use";
  else if (threads_needed(load).max_workers <= budget.threads)
    against = no_core(load);
  else if (budget.serial_work < min_ns)
    against = "maps that may have threads of their own do the work, or there is next to none";
  else if (hidden < hand_over_ns)
    against = "it would hide " + us(hidden) + " an element, less than handing it over is worth";
  else if (budget.elements > 0 && hidden * budget.elements < thread_start_ns)
    against = "it would hide " + us(hidden * budget.elements) + " an epoch, less than starting it takes";
  set_workers(*stage.state, against.empty() ? 1 : 0, against.empty() ? describe(load) : against);
  budget.threads += against.empty() ? 1 : 0;
}

void Autotuner::tune_map(const StageProfile& stage, Budget& budget, const std::vector<StageProfile>& all,
                         double elements) {
  ThreadLoad load = budget.load;
  for (const StageProfile& other : all)
    load.prefetched = load.prefetched || (reads_from(*other.state, *stage.state) && !other.state->tunables.calls_map &&
                                          other.state->tunables.workers.load() > 0);
  const ThreadsNeeded needed = threads_needed(load);
  const int left = needed.max_workers - budget.threads;
  const int wanted = needed.workers - (load.prefetched ? 1 : 0) - budget.map_threads;
  // Several maps share the threads in proportion to their work.
  const double work = stage.own_work / elements,
               share = budget.tunable_work > 0 ? std::min(1.0, work / budget.tunable_work) : 0;
  const int fit = std::clamp(static_cast<int>(std::ceil(wanted * share - 1e-9)), 0, std::max(0, left));
  const double epoch_work = work * budget.elements;
  const int workers = budget.elements > 0 ? std::min(fit, max_worthwhile_threads(epoch_work)) : fit;
  budget.tunable_work -= work;

  const Tunables& tunables = stage.state->tunables;
  const double call = stage.ns_per_call();
  const int calls = calls_per_job(tunables, call, static_cast<double>(stage.state->counters.bytes.get()));
  std::string against;
  if (call * calls < min_job_ns)
    against = (calls == 1 ? "a call takes " : std::to_string(calls) + " calls take ") + us(call * calls) +
              ", less than handing them over is worth";
  else if (left <= 0)
    against = no_core(load);
  else if (fit > 0 && workers == 0)
    against = "a thread would save " + us(epoch_work / 2) + " an epoch, less than starting it takes";
  const int given = against.empty() ? workers : 0;
  set_workers(*stage.state, given, against.empty() ? describe(load) : against);
  budget.threads += given;
  budget.map_threads += given;
}

void Autotuner::set_workers(const StageState& state, int workers, const std::string& reason) {
  // The first update decides. Later ones need two proposals that agree, so that one disturbed measurement changes
  // nothing.
  const auto before = proposed_.find(state.path);
  const bool agreed = before == proposed_.end() || before->second == workers;
  proposed_[state.path] = workers;
  if (!agreed) return;
  pipeline_.state(state.path, state.description).tunables.workers = workers;
  choices_[state.path + " threads"] = {state.path, state.description, threads_text(workers) + " of its own", reason};
}

void Autotuner::tune_depth(const StageProfile& stage, double memory) {
  Tunables& tunables = pipeline_.state(stage.state->path, stage.state->description).tunables;
  const StageCounters& counters = stage.state->counters;
  const auto element = static_cast<double>(std::max<std::int64_t>(1, counters.bytes.get()));
  const bool holds_blocks = tunables.calls_map && !tunables.makes_batch;
  const double held = holds_blocks ? element * calls_per_job(tunables, stage.ns_per_call(), element) : element;
  const int max_depth = std::clamp(static_cast<int>(std::min(memory / held, 1e6)), 1, tunables.max_depth);
  int depth = tunables.depth.load();
  std::string reason = "as it was";
  if (tunables.calls_map) {
    depth = 2 * (tunables.workers.load() + 1);
    reason = "two jobs for each thread that works";
  } else if (stage.since.found_empty > 0 && stage.since.blocked > 0) {
    depth *= 2;
    reason = "the buffer was empty " + std::to_string(stage.since.found_empty) +
             " times and full at others: times vary, and more elements ahead even them out";
  }
  if (depth > max_depth) {
    reason = max_depth < tunables.max_depth
                 ? "more of " + std::to_string(static_cast<std::int64_t>(held)) + " bytes each do not fit " +
                       std::to_string(static_cast<std::int64_t>(memory)) + " bytes"
                 : "the largest buffer";
  }
  depth = std::min(depth, max_depth);
  const auto standing = choices_.find(stage.state->path + " depth");
  if (depth == tunables.depth.load() && standing != choices_.end()) return;
  tunables.depth = depth;
  choices_[stage.state->path + " depth"] = {stage.state->path, stage.state->description,
                                            std::to_string(depth) + " ahead", reason};
}

std::vector<TuningChoice> Autotuner::choices() const {
  std::vector<TuningChoice> result;
  result.reserve(choices_.size());
  for (const auto& [path, choice] : choices_) result.push_back(choice);
  return result;
}

}  // namespace assay::engine
