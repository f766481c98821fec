// Each rewrite: what it makes of a pipeline, that it gives the same elements, and that off is off.
#include "engine/data/rewrites/rewrites.hpp"

#include "tests/catch.hpp"
#include "tests/engine/data/pipelines.hpp"

using namespace assay::engine;
using namespace assay::engine::testing;
using Catch::Contains;

namespace {

const std::vector<std::string> names{"data.remove_noops", "data.fuse_shuffle_repeat", "data.parallelize_map",
                                     "data.fuse_map_batch", "data.inject_prefetch"};

std::vector<std::string> all_but(const std::string& kept) {
  std::vector<std::string> off{"data.autotune"};
  for (const auto& name : names) {
    if (name != kept) off.push_back(name);
  }
  return off;
}

RewriteResult only(const std::string& control, const Pipeline& pipeline) {
  return rewrite(pipeline.last(), ControlSet::without(all_but(control)));
}

std::string text_after(const std::string& control, const Pipeline& pipeline) {
  return to_string(*only(control, pipeline).last);
}

MapFunction identity() {
  return {
      .name = "same", .call = [](const Element& in, Element& out, const MapCall&) { out.copy(in); }, .identity = true};
}

}  // namespace

TEST_CASE("a pipeline is printed a stage a line, its inputs further in") {
  const Pipeline pipeline =
      Pipeline::zip({numbers(3).map(times_ten(), {.num_parallel_calls = 2}), numbers(4)}).batch(2).prefetch(3);
  CHECK(to_string(pipeline) ==
        "prefetch 3\n  batch 2\n    zip 2\n      map times ten, 2 calls at once\n        generate numbers, 3\n"
        "      generate numbers, 4\n");
}

TEST_CASE("with every rewrite off a pipeline stays as it was described") {
  const Pipeline pipeline = numbers(9).skip(0).shuffle({.buffer_size = 3}).repeat(2).map(times_ten()).batch(2);
  const auto same = rewrite(pipeline.last(), ControlSet::without(std::vector<std::string>{"all"}));
  CHECK(same.last == pipeline.last());
  CHECK(same.passes.empty());
  CHECK(rewrite(pipeline.last(), {}).passes.size() == 5);
}

TEST_CASE("no-ops go, and nothing else") {
  const Pipeline noops = numbers(9).skip(0).repeat(1).shard(1, 0).shuffle({.buffer_size = 1}).map(identity());
  CHECK(text_after("data.remove_noops", noops) == to_string(numbers(9)));
  CHECK(only("data.remove_noops", noops).passes[0].changes == 5);
  const Pipeline work = numbers(9).skip(1).repeat(2).shard(2, 0).shuffle({.buffer_size = 2}).map(times_ten()).take(100);
  CHECK(text_after("data.remove_noops", work) == to_string(work));
}

TEST_CASE("a sequential map becomes parallel, a stateful one does not, and it says why") {
  CHECK_THAT(text_after("data.parallelize_map", numbers(9).map(times_ten())),
             Contains("map times ten, automatic calls at once"));
  MapFunction counting = times_ten();
  counting.stateful = true;
  const auto kept = only("data.parallelize_map", numbers(9).map(counting));
  CHECK(to_string(*kept.last) == to_string(numbers(9).map(counting)));
  REQUIRE(kept.withheld.size() == 1);
  CHECK_THAT(kept.withheld[0], Contains("times ten") && Contains("state"));
  const Pipeline asked = numbers(9).map(times_ten(), {.num_parallel_calls = 3});
  CHECK(text_after("data.parallelize_map", asked) == to_string(asked));
}

TEST_CASE("why a stateful map stays sequential is said whatever else is rewritten") {
  auto stateful = times_ten();
  stateful.stateful = true;
  CHECK(rewrite(numbers(8).map(stateful).batch(2).last(), {}).withheld.size() == 1);
}

TEST_CASE("a map whose elements in flight were asked for is not counted in batches") {
  const Pipeline asked = numbers(64).map(times_ten(), {.num_parallel_calls = 4, .max_in_flight = 8}).batch(16);
  CHECK(only("data.fuse_map_batch", asked).last == asked.last());
  Reader reader(asked, without({"data.inject_prefetch"}, 4));
  rest_of(reader);
  CHECK(reader.statistics().peak_threads == 3);
}

TEST_CASE("a stateful map sees the elements one by one in order with every rewrite on") {
  std::int64_t sum = 0;
  const MapFunction running{.name = "running sum",
                            .call = [&sum](const Element& in, Element& out,
                                           const MapCall&) { write_number(out, sum += in[0].item<std::int64_t>()); },
                            .stateful = true};
  const Numbers sums = read(numbers(100).map(running).batch(8), on_cores(4));
  REQUIRE(sums.size() == 100);
  for (std::size_t i = 0; i < sums.size(); ++i) CHECK(sums[i] == static_cast<std::int64_t>(i * (i + 1) / 2));
}

TEST_CASE("a map and the batch after it become one") {
  const Pipeline pipeline = numbers(9).map(times_ten()).batch(4);
  CHECK(text_after("data.fuse_map_batch", pipeline) == "map times ten, into batch 4\n  generate numbers, 9\n");
  const Pipeline any_order = numbers(9).map(times_ten(), {.num_parallel_calls = 2, .deterministic = false}).batch(4);
  CHECK(text_after("data.fuse_map_batch", any_order) == to_string(any_order));
  const Pipeline apart = numbers(9).map(times_ten()).take(5).batch(4);
  CHECK(text_after("data.fuse_map_batch", apart) == to_string(apart));
}

TEST_CASE("a prefetch is put behind a last stage that does not run ahead itself") {
  CHECK_THAT(text_after("data.inject_prefetch", numbers(9).batch(2)),
             Contains("prefetch automatic, injected\n  batch 2"));
  for (const Pipeline& ahead : {numbers(9).prefetch(2), numbers(9).map(times_ten(), {.num_parallel_calls = 2})})
    CHECK(text_after("data.inject_prefetch", ahead) == to_string(ahead));
}

TEST_CASE("shuffle and repeat become one, with the same order") {
  for (const std::int64_t buffer : {2, 5, 50}) {
    for (const std::int64_t times : {1, 2, 5}) {
      for (const bool reshuffle : {false, true}) {
        const Pipeline pipeline =
            numbers(20).shuffle({.buffer_size = buffer, .reshuffle_each_epoch = reshuffle}).repeat(times);
        CHECK_THAT(text_after("data.fuse_shuffle_repeat", pipeline), Contains("repeat") && Contains(", with shuffle"));
        CHECK(read(pipeline, without(all_but("data.fuse_shuffle_repeat"))) == read(pipeline, without({"all"})));
      }
    }
  }
  const Pipeline forever = numbers(7).shuffle({.buffer_size = 4}).repeat().take(40);
  CHECK(read(forever, without(all_but("data.fuse_shuffle_repeat"))) == read(forever, without({"all"})));
  CHECK_THROWS_WITH(read(numbers(7).take(0).shuffle({.buffer_size = 4}).repeat()), Contains("empty"));
}

TEST_CASE("every rewrite alone, all and none give the same elements over epochs") {
  const Pipeline pipeline = numbers(60)
                                .skip(0)
                                .shuffle({.buffer_size = 16})
                                .repeat(2)
                                .map(random_numbers())
                                .map(times_ten())
                                .batch(7)
                                .take(15);
  const auto epochs = [&](const std::vector<std::string>& off) {
    Reader reader(pipeline, without(off, 3));
    Numbers all = rest_of(reader);
    reader.restart();
    const Numbers second = rest_of(reader);
    all.insert(all.end(), second.begin(), second.end());
    return all;
  };
  const Numbers expected = epochs({"all"});
  CHECK(expected.size() == 2 * 15 * 7);
  CHECK(epochs({}) == expected);
  CHECK(epochs({"data.autotune"}) == expected);
  for (const auto& name : names) {
    CHECK(epochs({name}) == expected);
    CHECK(epochs(all_but(name)) == expected);
  }
}

TEST_CASE("with every control off a sequential pipeline has no thread") {
  const Pipeline pipeline = numbers(100).map(times_ten()).batch(4);
  Reader off(pipeline, without({"all"}, 4)), on(pipeline, without({"data.autotune"}, 4));
  rest_of(off);
  rest_of(on);
  CHECK(off.statistics().peak_threads == 0);
  CHECK(on.statistics().peak_threads == 3);  // and the asking thread
}
