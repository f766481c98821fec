// Stages that choose and order elements: small sequences whose answer is known.
#include "engine/data/stages/order.hpp"

#include <algorithm>
#include <set>

#include "tests/catch.hpp"
#include "tests/engine/data/pipelines.hpp"

using namespace assay::engine;
using namespace assay::engine::testing;

TEST_CASE("take, skip and shard choose by place") {
  CHECK(read(numbers(5).take(3)) == Numbers{0, 1, 2});
  CHECK(read(numbers(5).take(9)) == range(0, 5));
  CHECK(read(numbers(5).take(0)).empty());
  CHECK(read(numbers(5).skip(3)) == Numbers{3, 4});
  CHECK(read(numbers(5).skip(9)).empty());
  CHECK(read(numbers(7).shard(3, 0)) == Numbers{0, 3, 6});
  CHECK(read(numbers(7).shard(3, 2)) == Numbers{2, 5});
}

TEST_CASE("every element is in one shard, none twice") {
  Numbers all;
  for (int shard = 0; shard < 4; ++shard) {
    const Numbers part = read(numbers(10).shard(4, shard));
    all.insert(all.end(), part.begin(), part.end());
  }
  std::ranges::sort(all);
  CHECK(all == range(0, 10));
}

TEST_CASE("repeat gives whole epochs one after the other") {
  CHECK(read(numbers(3).repeat(2)) == Numbers{0, 1, 2, 0, 1, 2});
  CHECK(read(numbers(2).repeat().take(5)) == Numbers{0, 1, 0, 1, 0});
}

TEST_CASE("zip ends with the shortest") {
  Reader reader(Pipeline::zip({numbers(3), numbers(5).skip(1)}), on_cores(1));
  Element element;
  for (std::int64_t i = 0; i < 3; ++i) {
    REQUIRE(reader.next(element));
    REQUIRE(element.size() == 2);
    CHECK(element[0].item<std::int64_t>() == i);
    CHECK(element[1].item<std::int64_t>() == i + 1);
  }
  CHECK_FALSE(reader.next(element));
}

TEST_CASE("interleave takes blocks in turn, and the next input takes the place of one that ends") {
  const std::vector<Pipeline> inputs{numbers(2), numbers(6).skip(3), numbers(12).skip(10)};
  CHECK(read(Pipeline::interleave(inputs, 2)) == Numbers{0, 3, 1, 4, 10, 5, 11});
  CHECK(read(Pipeline::interleave(inputs, 1)) == Numbers{0, 1, 3, 4, 5, 10, 11});
  CHECK(read(Pipeline::interleave(inputs, 2, 2)) == Numbers{0, 1, 3, 4, 10, 11, 5});
}

TEST_CASE("a cycle longer than the inputs has one order, a hundred times") {
  const Pipeline two = Pipeline::interleave({numbers(5), numbers(8).skip(5)}, 4).map(times_ten(), {.calls = 3});
  const Numbers expected{0, 50, 10, 60, 20, 70, 30, 40};
  for (int i = 0; i < 100; ++i) REQUIRE(read(two, on_cores(3)) == expected);
}

TEST_CASE("a batch keeps its remainder unless told to drop it") {
  Element element;
  Reader kept(numbers(5).batch(2), on_cores(1)), dropped(numbers(5).batch(2, true), on_cores(1));
  std::vector<std::int64_t> sizes;
  while (kept.next(element)) sizes.push_back(element[0].shape()[0]);
  CHECK(sizes == std::vector<std::int64_t>{2, 2, 1});
  CHECK(rest_of(dropped) == range(0, 4));
}

TEST_CASE("rows of arrays come side by side, and a batch has them as they were") {
  const Tensor x = Tensor::from<float>(Shape{3, 2}, {1, 2, 3, 4, 5, 6}),
               y = Tensor::from<std::int32_t>(Shape{3}, {7, 8, 9});
  Reader reader(Pipeline::arrays({x, y}).batch(3), on_cores(1));
  Element element;
  REQUIRE(reader.next(element));
  CHECK(element[0].tensor().to<float>() == x.to<float>());
  CHECK(element[1].tensor().to<std::int32_t>() == y.to<std::int32_t>());
}

TEST_CASE("what a reader gives outlives it, though its source only lent it") {
  Element element;
  {
    Reader reader(Pipeline::arrays({Tensor::from<std::int64_t>(Shape{1}, {42})}), on_cores(1));
    REQUIRE(reader.next(element));
  }
  CHECK(element[0].item<std::int64_t>() == 42);
}

TEST_CASE("wrong arguments say what was expected and what came") {
  using Catch::Contains;
  const Pipeline source = numbers(4);
  CHECK_THROWS_WITH(source.batch(0), Contains("batch") && Contains("1 row or more") && Contains("got 0"));
  CHECK_THROWS_WITH(source.shuffle({.buffer = -5}), Contains("shuffle") && Contains("buffer") && Contains("-5"));
  CHECK_THROWS_WITH(source.prefetch(-1), Contains("prefetch") && Contains("-1"));
  CHECK_THROWS_WITH(source.map(times_ten(), {.calls = -2}), Contains("times ten") && Contains("-2"));
  CHECK_THROWS_WITH(source.map({.name = "nothing", .call = {}}), Contains("nothing"));
  CHECK_THROWS_WITH(source.take(-1), Contains("take") && Contains("-1"));
  CHECK_THROWS_WITH(source.skip(-1), Contains("skip") && Contains("-1"));
  CHECK_THROWS_WITH(source.repeat(0), Contains("repeat") && Contains("got 0"));
  CHECK_THROWS_WITH(source.shard(2, 2), Contains("shard") && Contains("index 2 of 2"));
  CHECK_THROWS_WITH(Pipeline::interleave({source}, 0), Contains("cycle"));
  CHECK_THROWS_WITH(Pipeline::interleave({}, 1), Contains("interleave") && Contains("none"));
  CHECK_THROWS_WITH(Pipeline::zip({}), Contains("zip") && Contains("none"));
  CHECK_THROWS_WITH(Reader(source, on_cores(0)), Contains("1 core"));
}

TEST_CASE("an empty source is refused when it is described") {
  using Catch::Contains;
  CHECK_THROWS_WITH(numbers(0), Contains("empty"));
  CHECK_THROWS_WITH(Pipeline::arrays({}), Contains("none"));
  CHECK_THROWS_WITH(Pipeline::arrays({Tensor::zeros(Shape{0, 3})}), Contains("empty"));
  CHECK_THROWS_WITH(Pipeline::arrays({Tensor::zeros(Shape{})}), Contains("scalar"));
  CHECK_THROWS_WITH(Pipeline::arrays({Tensor::zeros(Shape{3, 2}), Tensor::zeros(Shape{4})}),
                    Contains("3x2") && Contains("4"));
  CHECK_THROWS_WITH(read(numbers(3).take(0).repeat()), Contains("repeat forever") && Contains("empty"));
}
