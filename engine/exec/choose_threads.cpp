#include "engine/exec/choose_threads.hpp"

#include <algorithm>
#include <chrono>
#include <stdexcept>

namespace assay::engine {
namespace {

constexpr int rounds = 20;
constexpr double nanoseconds_a_turn = 500e3;

using Clock = std::chrono::steady_clock;

/// Nanoseconds a call, over as many calls as fill a turn.
double time_turn(TracedFunction& traced, std::span<const Tensor> arguments) {
  const auto start = Clock::now();
  double elapsed = 0;
  int calls = 0;
  do {
    traced(arguments);
    ++calls;
    elapsed = std::chrono::duration<double, std::nano>(Clock::now() - start).count();
  } while (elapsed < nanoseconds_a_turn);
  return elapsed / calls;
}

}  // namespace

std::vector<ThreadTime> time_threads(const TracedFunction::Function& function, std::span<const Tensor> arguments,
                                     int limit) {
  struct Candidate {
    Settings settings;
    std::unique_ptr<TracedFunction> traced;
  };
  std::vector<Candidate> candidates;
  std::vector<ThreadTime> times;
  for (int threads = 1; threads <= limit; threads = threads < limit ? std::min(2 * threads, limit) : limit + 1) {
    Settings with = settings();
    with.threads = threads;
    with.inference_threads = 0;
    candidates.push_back({with, std::make_unique<TracedFunction>("thread choice", function)});
    const SettingsScope scope(with);
    (*candidates.back().traced)(arguments);
    const Plan* plan = candidates.back().traced->plan();
    if (plan == nullptr || std::ranges::any_of(plan->states, &PlannedState::written))
      throw std::logic_error("threads are chosen by time only for traced functions that change no variable");
    times.push_back({threads, 0});
  }
  for (int round = 0; round < rounds; ++round) {
    for (std::size_t i = 0; i < candidates.size(); ++i) {
      const SettingsScope scope(candidates[i].settings);
      const double time = time_turn(*candidates[i].traced, arguments);
      times[i].nanoseconds = round == 0 ? time : std::min(times[i].nanoseconds, time);
    }
  }
  return times;
}

int choose_threads(std::span<const ThreadTime> times) {
  const double best = std::ranges::min(times, {}, &ThreadTime::nanoseconds).nanoseconds;
  return std::ranges::find_if(times, [&](const ThreadTime& time) { return time.nanoseconds <= 1.03 * best; })->threads;
}

}  // namespace assay::engine
