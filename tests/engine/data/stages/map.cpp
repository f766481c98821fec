#include "engine/data/stages/map.hpp"

#include <algorithm>
#include <set>

#include "tests/catch.hpp"
#include "tests/engine/data/pipelines.hpp"

using namespace assay::engine;
using namespace assay::engine::testing;

TEST_CASE("a map gives the same elements in the same order on any number of threads") {
  const Pipeline source = numbers(500);
  for (const int calls : {1, 2, 3, 8, autotune}) {
    CHECK(read(source.map(times_ten(), {.num_parallel_calls = calls}), on_cores(4)) == range(0, 5000, 10));
    CHECK(read(source.map(times_ten(), {.num_parallel_calls = calls}).batch(7), on_cores(4)) == range(0, 5000, 10));
  }
}

TEST_CASE("in any order a map gives the same elements") {
  Numbers values = read(numbers(300).map(times_ten(), {.num_parallel_calls = 4, .deterministic = false}), on_cores(4));
  std::ranges::sort(values);
  CHECK(values == range(0, 3000, 10));
}

TEST_CASE("random numbers follow from the element and the epoch, not from the threads") {
  const Pipeline source = numbers(200);
  const Numbers expected = read(source.map(random_numbers()), on_cores(1));
  CHECK(std::set<std::int64_t>(expected.begin(), expected.end()).size() > 190);
  for (const int calls : {2, 8})
    CHECK(read(source.map(random_numbers(), {.num_parallel_calls = calls}), on_cores(8)) == expected);
  Reader reader(source.map(random_numbers(), {.num_parallel_calls = 8}), on_cores(8));
  CHECK(rest_of(reader) == expected);
  reader.restart();
  const Numbers second = rest_of(reader);
  CHECK(second != expected);
  ReadOptions other = on_cores(8);
  other.seed = 4;
  CHECK(read(source.map(random_numbers(), {.num_parallel_calls = 8}), other) != expected);
}

TEST_CASE("repeating gives new random numbers in each round") {
  const Numbers twice = read(numbers(50).map(random_numbers()).repeat(2));
  CHECK(Numbers(twice.begin(), twice.begin() + 50) != Numbers(twice.begin() + 50, twice.end()));
}

TEST_CASE("a stateful map cannot be asked for several calls at once") {
  MapFunction counting = times_ten();
  counting.stateful = true;
  CHECK_THROWS_WITH(numbers(3).map(counting, {.num_parallel_calls = 2}),
                    Catch::Contains("times ten") && Catch::Contains("state"));
  CHECK_NOTHROW(numbers(3).map(counting));
}

TEST_CASE("no more calls run at once than threads and elements in flight allow") {
  struct Limit {
    int calls, in_flight, at_most;
  };
  for (const Limit limit : {Limit{4, 2, 2}, Limit{2, 8, 2}, Limit{8, 8, 8}}) {
    std::atomic<int> running{0}, most{0};
    const MapFunction slow{.name = "slow", .call = [&](const Element& in, Element& out, const MapCall& call) {
                             const int now = ++running;
                             int before = most.load();
                             while (now > before && !most.compare_exchange_weak(before, now)) {
                             }
                             std::this_thread::sleep_for(std::chrono::milliseconds(call.index % 8 == 7 ? 5 : 1));
                             write_number(out, in[0].item<std::int64_t>());
                             --running;
                           }};
    CHECK(read(numbers(48).map(slow, {.num_parallel_calls = limit.calls, .max_in_flight = limit.in_flight})) ==
          range(0, 48));
    CHECK(most <= limit.at_most);
    CHECK(most >= 2);
  }
}

TEST_CASE("elements that have other shapes than the first of their batch are named with both") {
  const Pipeline ragged = Pipeline::generate("ragged", 6, [](std::uint64_t index, Element& out) {
    out.resize(1);
    std::ranges::fill(out[0].place<float>(index == 4 ? Shape{27, 28, 1} : Shape{28, 28, 1}), 0.0F);
  });
  const MapFunction same{.name = "same", .call = [](const Element& in, Element& out, const MapCall&) { out.copy(in); }};
  for (const auto& off : {std::vector<std::string>{}, std::vector<std::string>{"all"}}) {
    for (const Pipeline& pipeline :
         {ragged.batch(3), ragged.map(same).batch(3), ragged.map(same, {.num_parallel_calls = 2}).batch(3)}) {
      Reader reader(pipeline, without(off));
      Element element;
      REQUIRE(reader.next(element));
      CHECK_THROWS_WITH(reader.next(element), Catch::Contains("27x28x1") && Catch::Contains("28x28x1") &&
                                                  Catch::Contains("element 4") && Catch::Contains("batch 3"));
      CHECK_FALSE(reader.next(element));
    }
  }
}

TEST_CASE("as many elements are in flight as were asked for") {
  std::atomic<int> fetched{0};
  const Pipeline source = Pipeline::generate("counted", 1000, [&fetched](std::uint64_t index, Element& out) {
    ++fetched;
    write_number(out, static_cast<std::int64_t>(index));
  });
  Reader reader(source.map(times_ten(), {.num_parallel_calls = 2, .max_in_flight = 500}), without({"data.autotune"}));
  Element element;
  REQUIRE(reader.next(element));
  CHECK(within_a_second([&] { return fetched == 501; }));
  CHECK(rest_of(reader) == range(10, 10000, 10));
}
