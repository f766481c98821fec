#include "scenarios/machine/working_set.hpp"

#include <algorithm>
#include <cmath>

#include "engine/core/threads.hpp"
#include "scenarios/machine/vector.hpp"

namespace assay::scenarios::machine {
namespace {

constexpr std::uint64_t smallest = 16 << 10;  // bytes a thread
constexpr std::uint64_t largest = std::uint64_t{256} << 20;
constexpr float factor = 3;

// What the arrays hold: element i of array k. Small whole numbers, so that every result is exact.
constexpr float content(int index, std::int64_t i) { return static_cast<float>((i + index) % 4); }

}  // namespace

WorkingSet::WorkingSet(const WalkInfo& walk, std::uint64_t bytes, int threads)
    : walk_(walk), parts_(static_cast<std::size_t>(threads)) {
  const auto each = static_cast<std::int64_t>(bytes / sizeof(float)) / walk.arrays / threads;
  count_ = std::max<std::int64_t>(each / stream_grain, 1) * stream_grain;
  for (auto& part : parts_)
    for (int k = 0; k < walk.arrays; ++k) part.arrays.emplace_back(static_cast<std::size_t>(count_) * sizeof(float));
  engine::parallel_parts(threads, [this](int part) {
    for (int k = 0; k < walk_.arrays; ++k)
      for (std::int64_t i = 0; i < count_; ++i) array(part, k)[i] = content(k, i);
  });
}

float* WorkingSet::array(int part, int index) const {
  return reinterpret_cast<float*>(
      parts_[static_cast<std::size_t>(part)].arrays[static_cast<std::size_t>(index)].data());
}

void WorkingSet::walk_once(int part) {
  switch (walk_.walk) {
    case Walk::read:
      parts_[static_cast<std::size_t>(part)].total = read(array(part, 0), count_);
      break;
    case Walk::copy:
      copy(array(part, 0), array(part, 1), count_);
      break;
    case Walk::triad:
      triad(array(part, 0), array(part, 1), array(part, 2), factor, count_);
      break;
  }
  memory_barrier_for_compiler();
}

void WorkingSet::run(std::int64_t passes) {
  engine::parallel_parts(static_cast<int>(parts_.size()), [this, passes](int part) {
    for (std::int64_t pass = 0; pass < passes; ++pass) walk_once(part);
  });
}

double WorkingSet::bytes_moved() const {
  return static_cast<double>(parts_.size()) * static_cast<double>(count_) * sizeof(float) * walk_.arrays;
}

double WorkingSet::error() const {
  double worst = 0;
  const auto note = [&worst](double found, double expected) { worst = std::max(worst, std::fabs(found - expected)); };
  // 0 + 1 + 2 + 3 in every four; a lane's sum stays below 2^24, the sum of all may round: compare relatively
  const double expected_sum = 1.5 * static_cast<double>(count_);
  for (std::size_t p = 0; p < parts_.size(); ++p) {
    const int part = static_cast<int>(p);
    if (walk_.walk == Walk::read) note(parts_[p].total / expected_sum, 1);
    for (std::int64_t i = 0; walk_.walk != Walk::read && i < count_; i += 61) {
      const float left = content(1, i), right = content(2, i);
      note(array(part, 0)[i], walk_.walk == Walk::copy ? left : left + factor * right);
    }
  }
  return worst;
}

std::vector<std::uint64_t> working_set_sizes(std::uint64_t last, int threads) {
  std::vector<std::uint64_t> sizes;
  for (std::uint64_t bytes = smallest * static_cast<std::uint64_t>(threads); bytes < last; bytes *= 2)
    sizes.push_back(bytes);
  sizes.push_back(last);
  return sizes;
}

std::uint64_t largest_working_set(std::uint64_t last_level_bytes, std::uint64_t available_bytes) {
  const auto wanted = last_level_bytes == 0 ? largest : std::min(4 * last_level_bytes, largest);
  return std::max(std::min(wanted, available_bytes / 8), smallest);
}

}  // namespace assay::scenarios::machine
