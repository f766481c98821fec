#include "scenarios/kernels/in_place.hpp"

#include <algorithm>
#include <cmath>

#include "engine/core/threads.hpp"
#include "scenarios/machine/streams.hpp"

namespace assay::scenarios::kernels {
namespace {

constexpr float factor = 0;  // passes leave everything as it is; the loop, compiled elsewhere, does not know

float* numbers(const engine::Storage& storage) { return reinterpret_cast<float*>(storage.data()); }

}  // namespace

InPlaceSet::InPlaceSet(std::uint64_t bytes, int threads) : parts_(static_cast<std::size_t>(threads)) {
  const auto each = static_cast<std::int64_t>(bytes / sizeof(float)) / 2 / threads;
  count_ = std::max<std::int64_t>(each / machine::stream_grain, 1) * machine::stream_grain;
  const auto size = static_cast<std::size_t>(count_) * sizeof(float);
  engine::parallel_parts(threads, [&](int part) {  // who walks it touches it first
    auto& mine = parts_[static_cast<std::size_t>(part)];
    mine = {engine::Storage(size), engine::Storage(size)};
    std::fill_n(numbers(mine.a), count_, 1.0F);
    std::fill_n(numbers(mine.b), count_, 2.0F);
  });
}

void InPlaceSet::run(std::int64_t passes) {
  engine::parallel_parts(static_cast<int>(parts_.size()), [this, passes](int part) {
    auto& mine = parts_[static_cast<std::size_t>(part)];
    for (std::int64_t pass = 0; pass < passes; ++pass)
      machine::triad(numbers(mine.a), numbers(mine.a), numbers(mine.b), factor, count_);
  });
}

double InPlaceSet::bytes_moved() const {
  return 3.0 * static_cast<double>(parts_.size()) * static_cast<double>(count_) * sizeof(float);
}

double InPlaceSet::error() const {
  double worst = 0;
  for (const auto& part : parts_)
    for (std::int64_t i = 0; i < count_; ++i)
      worst = std::max(worst, std::fabs(static_cast<double>(numbers(part.a)[i]) - 1));
  return worst;
}

}  // namespace assay::scenarios::kernels
