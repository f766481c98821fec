#include "engine/data/autotune.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>

namespace assay::engine {
namespace {

/// Work that is this small a part of a core is not worth a thread.
constexpr double worth_a_thread = 0.02;
/// Handing an element or a job to another thread takes some us. A prefetch must hide more than that, and a job of a map
/// that is shorter than ten times as much is done where it is asked for.
constexpr double hand_over_ns = 5000, least_job_ns = 50000;
/// Every epoch starts its threads and ends them: where one saves less than this of an epoch, it does without.
constexpr double start_ns = 200000;

std::string us(double ns) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.1f us", ns * 1e-3);
  return text.data();
}

std::string in_words(const Load& load) {
  return us(load.work) + " of work and " + us(load.training) + " of training an element, " +
         std::to_string(load.cores) + " cores, " + threads_text(load.training_threads) + " of training";
}

std::string no_core(const Load& load) {
  return "no core is left for it: training uses " + std::to_string(load.training_threads) + " of " +
         std::to_string(load.cores) + (load.training_threads < load.cores ? ", and other stages the rest" : "");
}

bool tunes_map(const Knobs& knobs) { return knobs.tunes_workers && knobs.calls_map; }

}  // namespace

ThreadsNeeded threads_needed(const Load& load) {
  ThreadsNeeded result;
  const double spent = load.work + load.training_threads * load.training;
  double a_ns = spent > 0 ? load.cores / spent : 0;
  if (load.training > 0) a_ns = std::min(a_ns, 1 / load.training);
  result.rate = a_ns * 1e9;
  const double busy_training = a_ns * load.training;
  // A training's other threads may spin while they wait, so that only the asking thread's own core ever gets free.
  const bool consumer_sleeps = load.prefetched && busy_training < 0.5;
  result.most = std::max(0, load.cores - load.training_threads + (consumer_sleeps ? 1 : 0));
  const double by_consumer = load.prefetched ? 0 : 1 - busy_training;
  const double missing = a_ns * load.work - by_consumer;
  const int wanted = missing > worth_a_thread ? static_cast<int>(std::ceil(missing - worth_a_thread)) : 0;
  result.workers = std::clamp(wanted, 0, result.most);
  return result;
}

// The n-th thread, beside those before it and the asking one, saves work / n - work / (n + 1).
int threads_worth_starting(double work) { return static_cast<int>((std::sqrt(1 + 4 * work / start_ns) - 1) / 2); }

Autotuner::Budget Autotuner::budget(const std::vector<StageWork>& work, const Consumed& since,
                                    std::int64_t epoch) const {
  const auto count = static_cast<double>(since.elements);
  Budget result{.load = {.training = since.training / count,
                         .cores = reading_.options.cores,
                         .training_threads = reading_.options.training_threads},
                .epoch = static_cast<double>(epoch)};
  for (const StageWork& stage : work) {
    const Knobs& knobs = stage.state->knobs;
    const int by_hand = knobs.tunes_workers ? 0 : knobs.workers.load();
    result.load.work += stage.own / count;
    if (tunes_map(knobs))
      result.spread += stage.own / count;
    else if (by_hand == 0)
      result.serial += stage.own / count;
    result.taken += by_hand;
    result.taken_by_maps += knobs.calls_map ? by_hand : 0;
  }
  return result;
}

void Autotuner::look(const Consumed& consumed) {
  const Consumed since{.elements = consumed.elements - consumed_.elements,
                       .training = consumed.training - consumed_.training};
  consumed_ = consumed;
  if (since.elements <= 0) return;
  auto work = work_since(reading_, seen_);
  for (const StageWork& stage : work) seen_[stage.state->path] = stage.now;
  Budget left = budget(work, since, consumed.epoch);
  // Prefetches first: whether the consumer's core works on a map depends on them. Then maps, those with most work
  // first.
  for (const StageWork& stage : work) {
    const Knobs& knobs = stage.state->knobs;
    if (knobs.tunes_workers && !knobs.calls_map) tune_prefetch(stage, left);
  }
  std::ranges::stable_sort(work, std::greater{}, &StageWork::own);
  double depths = 0;
  for (const StageWork& stage : work) {
    if (tunes_map(stage.state->knobs)) tune_map(stage, left, work, static_cast<double>(since.elements));
    depths += stage.state->knobs.tunes_depth ? 1 : 0;
  }
  for (const StageWork& stage : work) {
    if (stage.state->knobs.tunes_depth) tune_depth(stage, static_cast<double>(reading_.options.memory) / depths);
  }
}

void Autotuner::tune_prefetch(const StageWork& stage, Budget& budget) {
  const Load& load = budget.load;
  // Of the whole of an element's time, maps included: 8 % of an epoch went to handing over behind a map of 14 us a row
  // on 2 cores, where the consumer only counts the rows.
  const double least = worth_a_thread * (load.work + load.training);
  const double hidden = std::min(budget.serial, load.training);
  std::string against;
  if (load.training < least)
    against = "the consumer does nothing in between that a thread could use";
  else if (threads_needed(load).most <= budget.taken)
    against = no_core(load);
  else if (budget.serial < least)
    against = "maps that may have threads of their own do the work, or there is next to none";
  else if (hidden < hand_over_ns)
    against = "it would hide " + us(hidden) + " an element, less than handing it over is worth";
  else if (budget.epoch > 0 && hidden * budget.epoch < start_ns)
    against = "it would hide " + us(hidden * budget.epoch) + " an epoch, less than starting it takes";
  set_workers(*stage.state, against.empty() ? 1 : 0, against.empty() ? in_words(load) : against);
  budget.taken += against.empty() ? 1 : 0;
}

void Autotuner::tune_map(const StageWork& stage, Budget& budget, const std::vector<StageWork>& all, double elements) {
  Load load = budget.load;
  for (const StageWork& other : all)
    load.prefetched = load.prefetched || (is_above(*other.state, *stage.state) && !other.state->knobs.calls_map &&
                                          other.state->knobs.workers.load() > 0);
  const ThreadsNeeded needed = threads_needed(load);
  const int left = needed.most - budget.taken;
  const int wanted = needed.workers - (load.prefetched ? 1 : 0) - budget.taken_by_maps;
  // Of several maps each gets its part.
  const double own = stage.own / elements, part = budget.spread > 0 ? std::min(1.0, own / budget.spread) : 0;
  const int fit = std::clamp(static_cast<int>(std::ceil(wanted * part - 1e-9)), 0, std::max(0, left));
  const double epoch = own * budget.epoch;
  const int workers = budget.epoch > 0 ? std::min(fit, threads_worth_starting(epoch)) : fit;
  budget.spread -= own;

  const Knobs& knobs = stage.state->knobs;
  const double call = stage.a_call();
  const int calls = calls_a_job(knobs, call, static_cast<double>(stage.state->counters.bytes.get()));
  std::string against;
  if (call * calls < least_job_ns)
    against = (calls == 1 ? "a call takes " : std::to_string(calls) + " calls take ") + us(call * calls) +
              ", less than handing them over is worth";
  else if (left <= 0)
    against = no_core(load);
  else if (fit > 0 && workers == 0)
    against = "a thread would save " + us(epoch / 2) + " an epoch, less than starting it takes";
  const int given = against.empty() ? workers : 0;
  set_workers(*stage.state, given, against.empty() ? in_words(load) : against);
  budget.taken += given;
  budget.taken_by_maps += given;
}

void Autotuner::set_workers(const StageState& state, int workers, const std::string& reason) {
  // The first look decides; later ones must agree twice, so that one disturbed measurement changes nothing.
  const auto before = proposed_.find(state.path);
  const bool agreed = before == proposed_.end() || before->second == workers;
  proposed_[state.path] = workers;
  if (!agreed) return;
  reading_.state(state.path, state.description).knobs.workers = workers;
  choices_[state.path + " threads"] = {state.path, state.description, threads_text(workers) + " of its own", reason};
}

void Autotuner::tune_depth(const StageWork& stage, double memory) {
  Knobs& knobs = reading_.state(stage.state->path, stage.state->description).knobs;
  const StageCounters& counters = stage.state->counters;
  const auto element = static_cast<double>(std::max<std::int64_t>(1, counters.bytes.get()));
  const double call = stage.a_call();
  const double held = knobs.calls_map && !knobs.makes_batch ? element * calls_a_job(knobs, call, element) : element;
  const int most = std::clamp(static_cast<int>(std::min(memory / held, 1e6)), 1, knobs.most_depth);
  int depth = knobs.depth.load();
  std::string reason = "as it was";
  if (knobs.calls_map) {
    depth = 2 * (knobs.workers.load() + 1);
    reason = "two jobs for each thread that works";
  } else if (stage.since.found_empty > 0 && stage.since.blocked > 0) {
    depth *= 2;
    reason = "the buffer was empty " + std::to_string(stage.since.found_empty) +
             " times and full at others: times vary, and more elements ahead even them out";
  }
  if (depth > most) {
    reason = most < knobs.most_depth
                 ? "more of " + std::to_string(static_cast<std::int64_t>(held)) + " bytes each do not fit " +
                       std::to_string(static_cast<std::int64_t>(memory)) + " bytes"
                 : "the largest buffer";
  }
  depth = std::min(depth, most);
  const auto standing = choices_.find(stage.state->path + " depth");
  if (depth == knobs.depth.load() && standing != choices_.end()) return;
  knobs.depth = depth;
  choices_[stage.state->path + " depth"] = {stage.state->path, stage.state->description,
                                            std::to_string(depth) + " ahead", reason};
}

std::vector<Tuned> Autotuner::choices() const {
  std::vector<Tuned> result;
  result.reserve(choices_.size());
  for (const auto& [path, choice] : choices_) result.push_back(choice);
  return result;
}

}  // namespace assay::engine
