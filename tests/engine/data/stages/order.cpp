// Stages that choose and order elements: small sequences whose answer is known.
#include "engine/data/stages/take.hpp"

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
  const Pipeline two =
      Pipeline::interleave({numbers(5), numbers(8).skip(5)}, 4).map(times_ten(), {.num_parallel_calls = 3});
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
  CHECK(element[0].release().to<float>() == x.to<float>());
  CHECK(element[1].release().to<std::int32_t>() == y.to<std::int32_t>());
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
  CHECK_THROWS_WITH(source.shuffle({.buffer_size = -5}), Contains("shuffle") && Contains("buffer") && Contains("-5"));
  CHECK_THROWS_WITH(source.prefetch(-1), Contains("prefetch") && Contains("-1"));
  CHECK_THROWS_WITH(source.map(times_ten(), {.num_parallel_calls = -2}), Contains("times ten") && Contains("-2"));
  CHECK_THROWS_WITH(source.map({.name = "nothing", .call = {}}), Contains("nothing"));
  CHECK_THROWS_WITH(source.take(-1), Contains("take") && Contains("-1"));
  CHECK_THROWS_WITH(source.skip(-1), Contains("skip") && Contains("-1"));
  CHECK_THROWS_WITH(source.repeat(0), Contains("repeat") && Contains("got 0"));
  CHECK_THROWS_WITH(source.shard(2, 2), Contains("shard") && Contains("index 2 of 2"));
  CHECK_THROWS_WITH(Pipeline::interleave({source}, 0), Contains("cycle"));
  CHECK_THROWS_WITH(Pipeline::interleave({}, 1), Contains("interleave") && Contains("none"));
  CHECK_THROWS_WITH(Pipeline::zip({}), Contains("zip") && Contains("none"));
  CHECK_THROWS_WITH(Reader(source, on_cores(0)), Contains("got 0 cores"));
}

TEST_CASE("numbers that are too large are refused by the stage that was asked for them") {
  using Catch::Contains;
  constexpr int huge = std::numeric_limits<int>::max();
  const Pipeline source = numbers(4);
  CHECK_THROWS_WITH(source.batch(std::int64_t{1} << 60), Contains("batch") && Contains("1152921504606846976"));
  CHECK_THROWS_WITH(source.batch(std::int64_t{1} << 32), Contains("batch") && Contains("4294967296"));
  CHECK_THROWS_WITH(source.prefetch(1000000), Contains("prefetch") && Contains("65536") && Contains("1000000"));
  CHECK_THROWS_WITH(source.map(times_ten(), {.num_parallel_calls = huge}),
                    Contains("times ten") && Contains("2147483647 calls"));
  CHECK_THROWS_WITH(source.map(times_ten(), {.num_parallel_calls = 2, .max_in_flight = huge}),
                    Contains("times ten") && Contains("2147483647 elements in flight"));
  CHECK_THROWS_WITH(Reader(source, on_cores(huge)), Contains("cores") && Contains("2147483647"));
}

TEST_CASE("tensors that no memory holds are named with their shape and stage") {
  const auto makes = [](const Shape& shape) {
    return MapFunction{.name = "large", .call = [shape](const Element&, Element& out, const MapCall&) {
                         out.resize(1);
                         out[0].place<std::int64_t>(shape);
                       }};
  };
  const std::int64_t half = std::int64_t{1} << 32;
  for (const Shape& shape : {Shape{half, half}, Shape{std::int64_t{1} << 61}, Shape{half, half, half, half}}) {
    CHECK_THROWS_WITH(read(numbers(3).map(makes(shape))), Catch::Contains("map large, element 0") &&
                                                              Catch::Contains("int64 " + to_string(shape)) &&
                                                              Catch::Contains("more bytes than"));
  }
#ifndef __SANITIZE_THREAD__  // which ends the process where memory is refused
  CHECK_THROWS_WITH(read(numbers(3).map(makes(Shape{std::int64_t{1} << 50}))),
                    Catch::Contains("map large, element 0") && Catch::Contains("int64 1125899906842624"));
#endif
}

TEST_CASE("a batch larger than the data is the data") {
  const Pipeline source = Pipeline::generate("rows", 10, [](std::uint64_t index, Element& out) {
    out.resize(1);
    std::ranges::fill(out[0].place<std::int64_t>(Shape{28, 28}), static_cast<std::int64_t>(index));
  });
  const MapFunction same{.name = "copy", .call = [](const Element& in, Element& out, const MapCall&) { out.copy(in); }};
  for (const std::int64_t rows : {1'000'000'000, 2'147'483'647}) {
    for (const Pipeline& pipeline :
         {source.batch(rows), source.map(same).batch(rows), source.map(same, {.num_parallel_calls = 2}).batch(rows),
          source.batch(3).batch(rows / 4)}) {
      for (const auto& off : {std::vector<std::string>{}, std::vector<std::string>{"data.fuse_map_batch"}}) {
        Reader reader(pipeline.batch(1), without(off));
        Element element;
        Numbers firsts;
        try {
          while (reader.next(element)) {
            const auto values = element[0].as<std::int64_t>();
            for (std::size_t i = 0; i < values.size(); i += 784) firsts.push_back(values[i]);
          }
          CHECK(firsts == range(0, 10));
        } catch (const PipelineError& error) {  // 3, 3, 3 and 1 rows make no batch
          CHECK_THAT(error.what(), Catch::Contains("1x28x28") && Catch::Contains("3x28x28"));
        }
      }
    }
  }
}

TEST_CASE("a batch of more than its first room has the rows as they came") {
  const Pipeline source = Pipeline::generate("MiB", 150, [](std::uint64_t index, Element& out) {
    out.resize(1);
    const auto values = out[0].place<std::int64_t>(Shape{131072});
    values.front() = values.back() = static_cast<std::int64_t>(index);
  });
  const MapFunction copy{.name = "copy", .call = [](const Element& in, Element& out, const MapCall&) { out.copy(in); }};
  for (const Pipeline& pipeline : {source.batch(100), source.map(copy).batch(100)}) {
    Reader reader(pipeline, without({"data.parallelize_map"}));
    Element element;
    for (const std::int64_t rows : {100, 50}) {
      REQUIRE(reader.next(element));
      REQUIRE(element[0].shape() == Shape{rows, 131072});
      const auto values = element[0].as<std::int64_t>();
      std::int64_t wrong = 0;
      for (std::int64_t row = 0; row < rows; ++row) {
        const auto* const first = values.data() + row * 131072;
        wrong += first[0] == row + (100 - rows) * 2 && first[131071] == first[0] ? 0 : 1;
      }
      CHECK(wrong == 0);
    }
    CHECK_FALSE(reader.next(element));
  }
}

TEST_CASE("what is put together has four fields at most, and says so when it is described") {
  using Catch::Contains;
  const Tensor rows = Tensor::zeros(Shape{3});
  CHECK_THROWS_WITH(Pipeline::arrays({rows, rows, rows, rows, rows}),
                    Contains("arrays") && Contains("4") && Contains("got 5"));
  CHECK_THROWS_WITH(Pipeline::zip(std::vector(5, numbers(3))), Contains("zip") && Contains("4") && Contains("got 5"));
  const Pipeline pair = Pipeline::arrays({rows, rows}), three = Pipeline::arrays({rows, rows, rows});
  CHECK_THROWS_WITH(Pipeline::zip({three.take(2).shuffle({.buffer_size = 2}), pair.batch(1).prefetch(2)}),
                    Contains("zip") && Contains("got 5"));
  CHECK_NOTHROW(Pipeline::zip({pair, pair}));
  // What a map makes is known when it runs.
  CHECK_NOTHROW(Pipeline::zip({three.map(times_ten()), three}));
  const MapFunction copy{.name = "copy", .call = [](const Element& in, Element& out, const MapCall&) { out.copy(in); }};
  CHECK_THROWS_WITH(read(Pipeline::zip({three.map(copy), pair})), Contains("zip 2, element 0") && Contains("got 5"));
}

TEST_CASE("an empty source is refused when it is described") {
  using Catch::Contains;
  CHECK_THROWS_WITH(numbers(0), Contains("1 element or more"));
  CHECK_THROWS_WITH(Pipeline::arrays({}), Contains("none"));
  CHECK_THROWS_WITH(Pipeline::arrays({Tensor::zeros(Shape{0, 3})}), Contains("1 row or more"));
  CHECK_THROWS_WITH(Pipeline::arrays({Tensor::zeros(Shape{})}), Contains("scalar"));
  CHECK_THROWS_WITH(Pipeline::arrays({Tensor::zeros(Shape{3, 2}), Tensor::zeros(Shape{4})}),
                    Contains("3x2") && Contains("4"));
  CHECK_THROWS_WITH(read(numbers(3).take(0).repeat()), Contains("repeat forever") && Contains("empty"));
}
