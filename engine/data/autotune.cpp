#include "engine/data/autotune.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace assay::engine {
namespace {

/// Work that is this small a part of a core is not worth a thread.
constexpr double worth_a_thread = 0.02;
/// Handing a job over takes some us, and starting a thread in every epoch more: one that is shorter than this is done
/// where it is asked for.
constexpr double least_job_ns = 50000;

std::string us(double ns) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.1f us", ns * 1e-3);
  return text.data();
}

bool is_above(const StageState& one, const StageState& other) { return other.path.starts_with(one.path + "."); }

std::string in_words(const Load& load) {
  return us(load.work) + " of work and " + us(load.training) + " of training an element, " +
         std::to_string(load.cores) + " cores, " + threads_text(load.training_threads) + " of training";
}

}  // namespace

ThreadsNeeded threads_needed(const Load& load) {
  ThreadsNeeded result;
  const double spent = load.work + load.training_threads * load.training;
  if (load.work <= 0) return result;
  double a_ns = load.cores / spent;
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

std::vector<Autotuner::Change> Autotuner::changes() {
  std::vector<Change> result;
  const auto states = reading_.states();
  for (StageState* state : states) {
    const StageCounters& c = state->counters;
    const Seen now{c.worked.get(), c.mapped.get(), c.found_empty.get(), c.blocked.get(), c.pulled.get()};
    Seen& before = seen_[state->path];
    result.push_back({state,
                      now,
                      {now.worked - before.worked, now.mapped - before.mapped, now.found_empty - before.found_empty,
                       now.blocked - before.blocked, now.pulled - before.pulled}});
    before = now;
  }
  for (Change& one : result) {
    double inputs = 0;
    for (const Change& other : result) {
      if (is_above(*one.state, *other.state) &&
          other.state->path.find('.', one.state->path.size() + 1) == std::string::npos)
        inputs += static_cast<double>(other.since.pulled);
    }
    one.work = one.state->opened ? static_cast<double>(one.since.worked)
                                 : std::max(0.0, static_cast<double>(one.since.pulled) - inputs);
  }
  return result;
}

void Autotuner::look(std::int64_t elements, double training) {
  const auto count = static_cast<double>(elements - elements_);
  const double trained = training - training_;
  elements_ = elements;
  training_ = training;
  if (count <= 0) return;
  const auto seen = changes();
  Load load{.training = trained / count,
            .cores = reading_.options.cores,
            .training_threads = reading_.options.training_threads};
  for (const Change& change : seen) load.work += change.work / count;

  // The map with most work gets the threads; another's would only wait for it. What is no such map is serial.
  const StageState* busiest = nullptr;
  double most_work = -1, serial = 0;
  for (const Change& change : seen) {
    const bool spreads = change.state->knobs.tunes_workers && change.state->knobs.calls_map;
    if (!spreads) serial += change.work / count;
    if (spreads && change.work > most_work) {
      busiest = change.state;
      most_work = change.work;
    }
  }
  for (const Change& change : seen) {  // a prefetch comes before the maps that it reads
    if (change.state->knobs.tunes_workers && change.state == busiest) tune_map(change, load, seen);
    if (change.state->knobs.tunes_workers && change.state != busiest) {
      if (change.state->knobs.calls_map)
        set_workers(*change.state, 0, "another map has more work");
      else
        tune_prefetch(*change.state, load, serial);
    }
    if (change.state->knobs.tunes_depth) tune_depth(change);
  }
}

void Autotuner::tune_map(const Change& change, Load load, const std::vector<Change>& all) {
  for (const Change& other : all)
    load.prefetched = load.prefetched || (is_above(*other.state, *change.state) && !other.state->knobs.calls_map &&
                                          other.state->knobs.workers.load() > 0);
  const int needed = threads_needed(load).workers - (load.prefetched ? 1 : 0);
  const auto mapped = static_cast<double>(std::max<std::int64_t>(1, change.since.mapped));
  const double job = static_cast<double>(change.since.worked) / mapped * change.state->knobs.job;
  if (job < least_job_ns)
    set_workers(*change.state, 0, "a job takes " + us(job) + ", less than handing it over is worth");
  else
    set_workers(*change.state, std::max(0, needed), in_words(load));
}

void Autotuner::tune_prefetch(StageState& state, const Load& load, double serial) {
  // Of the whole of an element's time, maps included: handing it over costs, too (8 % of an epoch behind a map of 14 us
  // a row on 2 cores, where the consumer only counts the rows).
  const double least = worth_a_thread * (load.work + load.training);
  if (load.training < least)
    set_workers(state, 0, "the consumer does nothing in between that a thread could use");
  else if (serial < least)
    set_workers(state, 0, "maps with threads of their own do the work, or there is next to none");
  else
    set_workers(state, std::min(1, threads_needed(load).most), in_words(load));
}

void Autotuner::set_workers(StageState& state, int workers, const std::string& reason) {
  // The first look decides; later ones must agree twice, so that one disturbed measurement changes nothing.
  const auto before = proposed_.find(state.path);
  const bool agreed = before == proposed_.end() || before->second == workers;
  proposed_[state.path] = workers;
  if (!agreed) return;
  state.knobs.workers = workers;
  choices_[state.path + " threads"] = {state.path, state.description, threads_text(workers) + " of its own", reason};
}

void Autotuner::tune_depth(const Change& change) {
  Knobs& knobs = change.state->knobs;
  const auto bytes = static_cast<double>(std::max<std::int64_t>(1, change.state->counters.bytes.get()));
  const double budget = static_cast<double>(reading_.options.memory) / (bytes * (knobs.calls_map ? knobs.job : 1));
  const int most = std::clamp(static_cast<int>(std::min(budget, 1e6)), 1, knobs.most_depth);
  int depth = knobs.depth.load();
  std::string reason = "as it was";
  if (knobs.calls_map) {
    depth = 2 * (knobs.workers.load() + 1);
    reason = "two jobs for each thread that works";
  } else if (change.since.found_empty > 0 && change.since.blocked > 0) {
    depth *= 2;
    reason = "the buffer was empty " + std::to_string(change.since.found_empty) +
             " times and full at others: times vary, and more elements ahead even them out";
  }
  if (depth > most) reason = "the memory budget and the largest buffer allow " + std::to_string(most);
  depth = std::min(depth, most);
  const auto standing = choices_.find(change.state->path + " depth");
  if (depth == knobs.depth.load() && standing != choices_.end()) return;
  knobs.depth = depth;
  choices_[change.state->path + " depth"] = {change.state->path, change.state->description,
                                             std::to_string(depth) + " ahead", reason};
}

std::vector<Tuned> Autotuner::choices() const {
  std::vector<Tuned> result;
  result.reserve(choices_.size());
  for (const auto& [path, choice] : choices_) result.push_back(choice);
  return result;
}

}  // namespace assay::engine
