#include "engine/data/stages/shuffle.hpp"

#include <algorithm>

#include "tests/catch.hpp"
#include "tests/engine/data/pipelines.hpp"

using namespace assay::engine;
using namespace assay::engine::testing;

namespace {

/// Epochs 0 and 1 of a fresh reader.
std::pair<Numbers, Numbers> two_epochs(const Pipeline& pipeline, std::uint64_t seed) {
  Reader reader(pipeline, {.seed = seed, .cores = 2});
  Numbers first = rest_of(reader);
  reader.restart();
  return {first, rest_of(reader)};
}

}  // namespace

TEST_CASE("the same seed gives the same epochs again, and one epoch is not the other") {
  for (const std::int64_t count : {5, 100}) {
    const Pipeline shuffled = numbers(count).shuffle({.buffer_size = count});
    const auto once = two_epochs(shuffled, 1), again = two_epochs(shuffled, 1), other = two_epochs(shuffled, 2);
    CHECK(once == again);
    CHECK(once.first != once.second);
    CHECK(once.first != other.first);
    Numbers sorted = once.second;
    std::ranges::sort(sorted);
    CHECK(sorted == range(0, count));
  }
}

TEST_CASE("without reshuffling every epoch has the first one's order") {
  const auto epochs = two_epochs(numbers(50).shuffle({.buffer_size = 50, .reshuffle_each_epoch = false}), 1);
  CHECK(epochs.first == epochs.second);
  CHECK(epochs.first != range(0, 50));
}

TEST_CASE("a seed of the shuffle's own stands for the reader's") {
  const Pipeline shuffled = numbers(50).shuffle({.buffer_size = 50, .seed = 9});
  CHECK(two_epochs(shuffled, 1) == two_epochs(shuffled, 2));
}

TEST_CASE("a small buffer moves an element forward by at most its size") {
  const Numbers order = read(numbers(200).shuffle({.buffer_size = 10}));
  for (std::size_t place = 0; place < order.size(); ++place)
    CHECK(order[place] < static_cast<std::int64_t>(place) + 10);
  CHECK(order != range(0, 200));
}

TEST_CASE("each element comes to each place equally often") {
  // 4 places, 6000 epochs: 1500 expected with a standard deviation of 33.5; 5 of them are 168.
  std::array<std::array<int, 4>, 4> seen{};
  Reader reader(numbers(4).shuffle({.buffer_size = 4}), on_cores(1));
  for (int epoch = 0; epoch < 6000; ++epoch) {
    const Numbers order = rest_of(reader);
    for (std::size_t place = 0; place < 4; ++place) ++seen[place][static_cast<std::size_t>(order[place])];
    reader.restart();
  }
  for (const auto& place : seen) {
    for (const int times : place) CHECK(std::abs(times - 1500) < 168);
  }
}
