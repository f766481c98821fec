#include "scenarios/kernels/roofs.hpp"

#include <algorithm>
#include <cmath>

#include "engine/core/threads.hpp"
#include "scenarios/kernels/in_place.hpp"
#include "scenarios/kernels/speed.hpp"
#include "scenarios/machine/multiply_add.hpp"

namespace assay::scenarios::kernels {
namespace {

constexpr std::int64_t steps = 1 << 17;       // about 0.3 ms of multiply-adds
constexpr float factor = 0.999F, addend = 1;  // converges to 1000: no overflow, no denormals
volatile float sink;                          // the compiler cannot see that nobody reads it

std::uint64_t set_size(double bytes, int threads) {
  constexpr double smallest = 16 << 10;  // a thread, as in `machine`: below, a walk measures its own start
  return static_cast<std::uint64_t>(std::max(bytes, smallest * threads));
}

double written(const machine::WalkInfo& walk) {
  return walk.walk == machine::Walk::read ? 0 : 1.0 / static_cast<double>(walk.arrays);
}

}  // namespace

const machine::WalkInfo& walk_like(double written_share) {
  return *std::ranges::min_element(
      machine::walks(), {}, [&](const machine::WalkInfo& walk) { return std::fabs(written(walk) - written_share); });
}

std::string Traffic::walk() const { return in_place ? "triad in place" : std::string(walk_like(written_share).name); }

template <class Set>
void Roofs::hold(std::shared_ptr<Set> set) {
  bytes_a_pass_ = set->bytes_moved();
  walk_ = [set = std::move(set)](std::int64_t passes) { set->run(passes); };
}

Roofs::Roofs(const Traffic& traffic, int threads) : threads_(threads) {
  const auto bytes = set_size(traffic.footprint, threads);
  if (traffic.in_place)
    hold(std::make_shared<InPlaceSet>(bytes, threads));
  else
    hold(std::make_shared<machine::WorkingSet>(walk_like(traffic.written_share), bytes, threads));
  passes_ = calls_that_fill_a_sample(walk_);
}

void Roofs::compute() {
  engine::parallel_parts(threads_, [](int) { sink = machine::multiply_add(steps, factor, addend); });
}

double Roofs::flops() const { return machine::multiply_add_flops(steps) * threads_; }

}  // namespace assay::scenarios::kernels
