#include "engine/core/random.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "tests/catch.hpp"

using namespace assay::engine;

TEST_CASE("Philox4x32-10 gives the published vectors") {
  // Random123, tests/kat_vectors.
  struct Row {
    Philox::Counter counter;
    Philox::Key key;
    Philox::Counter expected;
  };
  const Row rows[] = {
      {{0, 0, 0, 0}, {0, 0}, {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}},
      {{0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff},
       {0xffffffff, 0xffffffff},
       {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}},
      {{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344},
       {0xa4093822, 0x299f31d0},
       {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}},
  };
  for (const Row& row : rows) CHECK(Philox::block(row.counter, row.key) == row.expected);
}

TEST_CASE("seed, stream and index stand in the key and in the counter's halves") {
  CHECK(Philox::block(0x299f31d0a4093822, 0x0370734413198a2e, 0x85a308d3243f6a88) ==
        Philox::Counter{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1});
}

TEST_CASE("values do not depend on how they are asked for") {
  std::vector<float> uniforms(203);
  std::vector<float> normals(203);
  fill_uniform(uniforms, 7, 3);
  fill_normal(normals, 7, 3);
  for (std::size_t i = 0; i < uniforms.size(); ++i) {
    CHECK(uniforms[i] == uniform(7, 3, i));
    CHECK(normals[i] == normal(7, 3, i));
  }
  std::array<float, uniform_run> run{};
  uniform_run_at(7, 3, 128, run);
  for (std::size_t i = 128; i < 192; ++i) CHECK(run[i - 128] == uniforms[i]);
  CHECK(uniform(7, 3, 0) != uniform(8, 3, 0));
  CHECK(uniform(7, 3, 0) != uniform(7, 4, 0));
}

TEST_CASE("uniform values lie from 0 to below 1 and normals have mean 0 and variance 1") {
  constexpr std::size_t n = 200000;
  std::vector<float> values(n);
  fill_uniform(values, 1, 0);
  CHECK(*std::min_element(values.begin(), values.end()) >= 0);
  CHECK(*std::max_element(values.begin(), values.end()) < 1);
  CHECK(unit_float(0xffffffff) < 1);
  const auto moment = [&](int power, double centre) {
    double sum = 0;
    for (const float value : values) sum += std::pow(static_cast<double>(value) - centre, power);
    return sum / n;
  };
  // Five standard errors of each moment.
  CHECK(moment(1, 0) == Approx(0.5).margin(5 * 0.2887 / std::sqrt(n)));
  CHECK(moment(2, 0.5) == Approx(1.0 / 12).margin(5 * 0.0745 / std::sqrt(n)));
  fill_normal(values, 1, 0);
  CHECK(moment(1, 0) == Approx(0).margin(5 / std::sqrt(n)));
  CHECK(moment(2, 0) == Approx(1).margin(5 * std::sqrt(2.0 / n)));
  CHECK(moment(4, 0) == Approx(3).margin(5 * std::sqrt(96.0 / n)));
}

TEST_CASE("a shuffle is a permutation, seeded, and every place is equally likely") {
  std::vector<std::int64_t> order(1000);
  std::iota(order.begin(), order.end(), 0);
  auto again = order;
  auto other = order;
  const auto sorted = order;
  shuffle(order, 5, 1);
  shuffle(again, 5, 1);
  shuffle(other, 6, 1);
  CHECK(order == again);
  CHECK(order != other);
  CHECK(order != sorted);
  std::sort(order.begin(), order.end());
  CHECK(order == sorted);

  constexpr int draws = 6000;
  std::array<int, 3> first{};
  for (int draw = 0; draw < draws; ++draw) {
    std::array<std::int64_t, 3> three{0, 1, 2};
    shuffle(three, 9, static_cast<std::uint64_t>(draw));
    ++first[static_cast<std::size_t>(three[0])];
  }
  for (const int count : first) CHECK(count == Approx(draws / 3.0).margin(5 * std::sqrt(draws * 2.0 / 9)));
}
