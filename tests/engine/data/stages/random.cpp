// Random numbers and orders where a pipeline has several stages that draw some: each its own, whatever the rewrites.
#include <algorithm>
#include <numeric>
#include <set>

#include "tests/catch.hpp"
#include "tests/engine/data/pipelines.hpp"

using namespace assay::engine;
using namespace assay::engine::testing;

namespace {

/// Its random number less the element: 0 where the stage before it drew the same.
MapFunction random_less_element() {
  return {.name = "random less", .call = [](const Element& in, Element& out, const MapCall& call) {
            write_number(out, static_cast<std::int64_t>(uniform(call.random_seed(), call.index, 0) * 1e6F) -
                                  in[0].item<std::int64_t>());
          }};
}

/// How many places have the same number in both; of 1e6 numbers two agree by chance once in 1e6.
std::size_t alike(const Numbers& a, const Numbers& b) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) count += a[i] == b[i] ? 1 : 0;
  return count;
}

Numbers halves(Numbers numbers) {
  for (auto& number : numbers) number /= 2;
  return numbers;
}

/// The first and second field of every element.
std::pair<Numbers, Numbers> both(const Pipeline& pipeline) {
  Reader reader(pipeline, on_cores(2));
  std::pair<Numbers, Numbers> result;
  Element element;
  while (reader.next(element)) {
    result.first.push_back(element[0].item<std::int64_t>());
    result.second.push_back(element[1].item<std::int64_t>());
  }
  return result;
}

}  // namespace

TEST_CASE("the inputs of an interleave or a zip draw other random numbers") {
  const Pipeline drawn = numbers(20).map(random_numbers());
  const Pipeline again = numbers(20).map(random_numbers());
  for (const auto& inputs : {std::vector{drawn, again}, std::vector{drawn, drawn}}) {
    const auto [one, other] = both(Pipeline::zip(inputs));
    CHECK(alike(one, other) == 0);
    const Numbers turns = read(Pipeline::interleave(inputs, 2));
    Numbers even, odd;
    for (std::size_t i = 0; i < turns.size(); ++i) (i % 2 == 0 ? even : odd).push_back(turns[i]);
    CHECK(alike(even, odd) == 0);
  }
}

TEST_CASE("a map after a map draws other random numbers") {
  const Numbers differences = read(numbers(20).map(random_numbers()).map(random_less_element()));
  CHECK(std::ranges::count(differences, 0) == 0);
}

TEST_CASE("two shards of a source are not augmented alike") {
  const auto drawn = [](const Pipeline& shard) { return read(shard.map(random_numbers())); };
  CHECK(alike(drawn(numbers(40).shard(2, 0)), drawn(numbers(40).shard(2, 1))) == 0);
  CHECK(alike(drawn(numbers(80).shard(2, 0).shard(2, 1)), drawn(numbers(80).shard(2, 1).shard(2, 0))) == 0);
  CHECK(alike(drawn(numbers(40).shard(2, 0).skip(1).prefetch(2)), drawn(numbers(40).shard(2, 1).skip(1))) == 0);
}

TEST_CASE("shards after a map are parts of one whole") {
  const Numbers whole = read(numbers(40).map(random_numbers()));
  for (std::int64_t shard = 0; shard < 2; ++shard) {
    const Numbers part = read(numbers(40).map(random_numbers()).shard(2, shard));
    REQUIRE(part.size() == 20);
    for (std::size_t i = 0; i < part.size(); ++i) CHECK(part[i] == whole[2 * i + static_cast<std::size_t>(shard)]);
  }
}

TEST_CASE("every shuffle has an order of its own, unless seeds say otherwise") {
  const Pipeline shuffled = numbers(50).shuffle({.buffer_size = 50});
  const auto [one, other] = both(Pipeline::zip({shuffled, numbers(50).shuffle({.buffer_size = 50})}));
  CHECK(one != other);
  CHECK(halves(read(numbers(100).shard(2, 0).shuffle({.buffer_size = 50}))) !=
        halves(read(numbers(100).shard(2, 1).shuffle({.buffer_size = 50}))));
  const Pipeline seeded = numbers(50).shuffle({.buffer_size = 50, .seed = 9});
  const auto [images, labels] = both(Pipeline::zip({seeded, numbers(50).shuffle({.buffer_size = 50, .seed = 9})}));
  CHECK(images == labels);
}

TEST_CASE("shards after a shuffle share its order, so that every element is in one") {
  Numbers all = read(numbers(30).shuffle({.buffer_size = 30}).shard(2, 0));
  const Numbers rest = read(numbers(30).shuffle({.buffer_size = 30}).shard(2, 1));
  all.insert(all.end(), rest.begin(), rest.end());
  std::ranges::sort(all);
  CHECK(all == range(0, 30));
}

TEST_CASE("random numbers of many stages follow from the seed, not from rewrites, threads or no-ops") {
  const MapFunction same{
      .name = "same", .call = [](const Element& in, Element& out, const MapCall&) { out.copy(in); }, .identity = true};
  const Pipeline one =
      numbers(40).map(same).shuffle({.buffer_size = 1}).shard(1, 0).shuffle({.buffer_size = 9}).repeat(2);
  const Pipeline pipeline = Pipeline::interleave({one.map(random_numbers()), numbers(40).map(random_numbers())}, 2)
                                .map(same)
                                .skip(0)
                                .map(random_less_element())
                                .batch(7);
  const auto epochs = [&](const std::vector<std::string>& off, int cores) {
    Reader reader(pipeline, without(off, cores));
    Numbers all = rest_of(reader);
    reader.restart();
    const Numbers second = rest_of(reader);
    all.insert(all.end(), second.begin(), second.end());
    return all;
  };
  const Numbers expected = epochs({"all"}, 1);
  CHECK(expected.size() == 240);
  CHECK(std::set<std::int64_t>(expected.begin(), expected.end()).size() > 230);
  for (const auto& off : std::vector<std::vector<std::string>>{{},
                                                               {"data.autotune"},
                                                               {"data.remove_noops"},
                                                               {"data.fuse_shuffle_repeat"},
                                                               {"data.parallelize_map"},
                                                               {"data.fuse_map_batch"},
                                                               {"data.inject_prefetch"}}) {
    CHECK(epochs(off, 3) == expected);
  }
  ReadOptions other = on_cores(2);
  other.seed = 4;
  CHECK(alike(read(pipeline, other), expected) == 0);
}
