#include "scenarios/kernels/speed.hpp"

#include <algorithm>
#include <functional>

#include "scenarios/kernels/roofs.hpp"
#include "scenarios/machine/turns.hpp"

namespace assay::scenarios::kernels {
namespace {

constexpr double nanoseconds_a_sample = 3e5;
// A repetition lasts about so long; a scheduler lets a process run for a few ms at a time, so some turns are whole.
constexpr double nanoseconds_a_repetition = 15e6;
constexpr double min_turns = 5, max_turns = 16;
constexpr int max_extensions = 5;  // times that a repetition goes on where a roof has not been seen undisturbed yet

}  // namespace

Speed speed_of(const Turn& turn, double flops, double bytes) {
  const double flop_rate = flops / turn.time, byte_rate = bytes / turn.time;
  return {flop_rate, byte_rate, flop_rate / turn.peak, byte_rate / turn.bandwidth};
}

bool Speed::possible() const { return peak_share <= peak_limit && bandwidth_share <= bandwidth_limit; }

std::int64_t calls_that_fill_a_sample(const std::function<void(std::int64_t calls)>& run) {
  const auto fills = [&](std::int64_t calls) {
    for (int attempt = 0; attempt < 3; ++attempt)
      if (machine::shortest_in_turns({[&] { run(calls); }}, 1)[0] < nanoseconds_a_sample) return false;
    return true;
  };
  run(1);
  std::int64_t calls = 1;
  while (!fills(calls)) calls *= 2;
  return calls;
}

std::vector<Turn> measure(HeldKernel& kernel, int repetitions) {
  const auto run = [&](std::int64_t calls) {
    for (std::int64_t call = 0; call < calls; ++call) kernel.run();
  };
  Roofs roofs(kernel.traffic(), kernel.info().threads);
  const std::int64_t calls = calls_that_fill_a_sample(run);
  const std::vector<std::function<void()>> works{[&] { run(calls); }, [&] { roofs.compute(); }, [&] { roofs.move(); }};
  const auto once = machine::shortest_in_turns(works, 1);
  const int turns =
      static_cast<int>(std::clamp(nanoseconds_a_repetition / (once[0] + once[1] + once[2]), min_turns, max_turns));

  std::vector<Turn> measured;
  for (int repetition = 0; repetition < repetitions; ++repetition) {
    Turn turn;
    auto shortest = machine::shortest_in_turns(works, turns);
    for (int more = 0;; ++more) {
      turn = {shortest[0] / static_cast<double>(calls), roofs.flops() / shortest[1], roofs.bytes() / shortest[2]};
      if (more == max_extensions || speed_of(turn, kernel.flops(), kernel.bytes()).possible()) break;
      const auto again = machine::shortest_in_turns(works, turns);
      for (std::size_t i = 0; i < works.size(); ++i) shortest[i] = std::min(shortest[i], again[i]);
    }
    measured.push_back(turn);
  }
  return measured;
}

}  // namespace assay::scenarios::kernels
