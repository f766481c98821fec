#include "engine/data/stages/cache.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <fstream>

#include "engine/data/data_error.hpp"
#include "tests/catch.hpp"
#include "tests/engine/data/folder.hpp"
#include "tests/engine/data/pipelines.hpp"

using namespace assay::engine;
using namespace assay::engine::testing;

namespace {

/// Counts what the source was asked for.
Pipeline counted(std::int64_t count, std::atomic<int>& calls) {
  return Pipeline::generate("counted", count, [&calls](std::uint64_t index, Element& out) {
    ++calls;
    write_number(out, static_cast<std::int64_t>(index) + 1);
  });
}

std::size_t files_in(const std::filesystem::path& folder) {
  return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(folder), {}));
}

}  // namespace

TEST_CASE("a whole pass fills the cache, and the next ones read nothing else") {
  const Folder folder;
  for (const bool in_file : {false, true}) {
    std::atomic<int> calls{0};
    const Pipeline source = counted(5, calls);
    Reader reader(in_file ? source.cache(folder.path() / "five.rec") : source.cache(), on_cores(2));
    for (int epoch = 0; epoch < 3; ++epoch) {
      CHECK(rest_of(reader) == Numbers{1, 2, 3, 4, 5});
      reader.restart();
    }
    CHECK(calls == 5);
  }
  CHECK(files_in(folder.path()) == 1);
}

TEST_CASE("a pass that is left early keeps nothing, and the next one is whole") {
  const Folder folder;
  for (const bool in_file : {false, true}) {
    for (int left_after = 0; left_after <= 4; ++left_after) {
      std::atomic<int> calls{0};
      const Pipeline source = counted(5, calls);
      Reader reader((in_file ? source.cache(folder.path() / "half.rec") : source.cache()).take(left_after),
                    on_cores(2));
      rest_of(reader);
      CHECK(files_in(folder.path()) == 0);
      Reader whole(in_file ? source.cache(folder.path() / "half.rec") : source.cache(), on_cores(2));
      Element element;
      for (int i = 0; i < left_after; ++i) REQUIRE(whole.next(element));
      whole.restart();
      CHECK(rest_of(whole) == Numbers{1, 2, 3, 4, 5});
      whole.restart();
      CHECK(rest_of(whole) == Numbers{1, 2, 3, 4, 5});
      std::filesystem::remove(folder.path() / "half.rec");
    }
  }
}

TEST_CASE("a cache before a batch with a remainder gives every epoch whole") {
  const Folder folder;
  for (const bool in_file : {false, true}) {
    const Pipeline source = numbers(10);
    Reader reader((in_file ? source.cache(folder.path() / "ten.rec") : source.cache()).batch(4), on_cores(2));
    for (int epoch = 0; epoch < 3; ++epoch) {
      CHECK(rest_of(reader) == range(0, 10));
      reader.restart();
    }
  }
}

TEST_CASE("a cache that was filled by threads is in order") {
  std::atomic<int> calls{0};
  Reader reader(counted(300, calls).map(times_ten(), {.num_parallel_calls = 4}).cache().batch(16).prefetch(2),
                on_cores(4));
  const Numbers expected = range(10, 3010, 10);
  for (int epoch = 0; epoch < 3; ++epoch) {
    CHECK(rest_of(reader) == expected);
    reader.restart();
  }
  CHECK(calls == 300);
}

TEST_CASE("a later reader uses the file, whatever rewrites and threads made it") {
  const Folder folder;
  const auto file = folder.path() / "kept.rec";
  std::atomic<int> calls{0};
  const auto pipeline = [&](MapOptions options) {
    return counted(20, calls).map(times_ten(), options).batch(4).cache(file);
  };
  const Numbers expected = range(10, 210, 10);
  CHECK(read(pipeline({})) == expected);
  CHECK(read(pipeline({.num_parallel_calls = 3}), without({"all"})) == expected);
  CHECK(calls == 20);
}

TEST_CASE("a cache file of another pipeline or seed is refused, with both") {
  using Catch::Contains;
  const Folder folder;
  const auto file = folder.path() / "other.rec";
  read(numbers(5).cache(file));
  CHECK_THROWS_WITH(read(numbers(6).cache(file)), Contains("other.rec") && Contains("numbers, 6") &&
                                                      Contains("numbers, 5") && Contains("another pipeline"));
  CHECK_THROWS_WITH(read(numbers(5).map(times_ten()).cache(file)), Contains("times ten"));
  ReadOptions seed = on_cores(1);
  seed.seed = 8;
  CHECK_THROWS_WITH(read(numbers(5).cache(file), seed), Contains("seed 8") && Contains("seed 3"));
}

TEST_CASE("a cache of arrays knows their values") {
  const Folder folder;
  const auto file = folder.path() / "arrays.rec";
  const auto rows = [](std::int64_t last) {
    return Pipeline::arrays({Tensor::from<std::int64_t>(Shape{2}, {1, last})});
  };
  CHECK(read(rows(2).cache(file)) == Numbers{1, 2});
  CHECK_THROWS_AS(read(rows(3).cache(file)), DataError);
}

TEST_CASE("a cache file that was cut short is refused at any length") {
  const Folder folder;
  const auto file = folder.path() / "short.rec";
  read(numbers(3).cache(file));
  const auto whole = std::filesystem::file_size(file);
  for (std::uintmax_t bytes = 0; bytes < whole; ++bytes) {
    std::filesystem::resize_file(file, bytes);
    CHECK_THROWS_WITH(read(numbers(3).cache(file)), Catch::Contains("short.rec") && Catch::Contains("cut short"));
    std::filesystem::remove(file);
    read(numbers(3).cache(file));
  }
}

TEST_CASE("a full disk stops the cache with the reason, and leaves no file") {
  const Folder folder;
  const SmallFiles limit(4096);
  Element element;
  Reader reader(numbers(10000).cache(folder.path() / "full.rec"), on_cores(1));
  std::string error;
  try {
    while (reader.next(element)) {
    }
  } catch (const PipelineError& found) {
    error = found.what();
  }
  CHECK_THAT(error, Catch::Contains("full.rec") && Catch::Contains("cannot be written"));
  CHECK(files_in(folder.path()) == 0);
}

TEST_CASE("a cache of record files knows their content") {
  const Folder folder;
  const auto file = folder.path() / "cached.rec";
  const std::vector sources{folder.path() / "source.rec"};
  write_records(numbers(5), sources);
  CHECK(read(Pipeline::records(sources).cache(file)) == range(0, 5));
  CHECK(read(Pipeline::records(sources).cache(file)) == range(0, 5));
  write_records(numbers(5).map(times_ten()), sources);
  CHECK_THROWS_WITH(read(Pipeline::records(sources).cache(file)), Catch::Contains("another pipeline"));
}

TEST_CASE("elements that were cached in any order are not served as ordered ones") {
  const Folder folder;
  const auto file = folder.path() / "any.rec";
  const Pipeline source = numbers(20);
  read(source.map(times_ten(), {.num_parallel_calls = 2, .deterministic = false}).cache(file));
  CHECK_THROWS_WITH(read(source.map(times_ten(), {.num_parallel_calls = 2}).cache(file)),
                    Catch::Contains("in any order"));
}

TEST_CASE("cached random numbers do not depend on the epoch that filled the cache") {
  const Folder folder;
  const Pipeline drawn = numbers(20).map(random_numbers()).shuffle({.buffer_size = 20});
  const Numbers expected = read(drawn);
  for (const bool in_file : {false, true}) {
    const Pipeline cached = in_file ? drawn.cache(folder.path() / "drawn.rec") : drawn.cache();
    Reader reader(cached, on_cores(2));
    Element element;
    REQUIRE(reader.next(element));
    for (int epoch = 1; epoch < 3; ++epoch) {  // epoch 0 was left: epoch 1 fills the cache
      reader.restart();
      CHECK(rest_of(reader) == expected);
    }
    CHECK(read(cached.repeat(2).take(20)) == expected);
  }
}

TEST_CASE("a cache is one pipeline's, with or without rewrites") {
  const Folder folder;
  const MapFunction same{
      .name = "same", .call = [](const Element& in, Element& out, const MapCall&) { out.copy(in); }, .identity = true};
  int number = 0;
  for (const Pipeline& pipeline : {numbers(8).map(same).batch(4), numbers(8).shuffle({.buffer_size = 8}).repeat(1),
                                   numbers(8).shuffle({.buffer_size = 1}).repeat(2)}) {
    const Pipeline cached = pipeline.cache(folder.path() / (std::to_string(number++) + ".rec"));
    const Numbers expected = read(cached, without({"data.remove_noops"}));
    CHECK(read(cached, without({"all"})) == expected);
    CHECK(read(cached, without({})) == expected);
  }
}

TEST_CASE("a cache of random numbers is that of its place in the pipeline") {
  const Folder folder;
  const Pipeline cached = numbers(5).map(random_numbers()).cache(folder.path() / "drawn.rec");
  const Numbers alone = read(cached);
  CHECK_THROWS_WITH(read(Pipeline::zip({numbers(5).map(random_numbers()), cached})),
                    Catch::Contains("another pipeline"));
  CHECK(read(Pipeline::zip({cached, numbers(5).map(random_numbers())})) == alone);
}

TEST_CASE("a disk that is full before the first element leaves no file") {
  const Folder folder;
  const SmallFiles limit(4096);
  const Pipeline named =
      Pipeline::generate(std::string(10000, 'n'), 3, [](std::uint64_t, Element& out) { write_number(out, 1); });
  CHECK_THROWS_WITH(read(named.cache(folder.path() / "full.rec")), Catch::Contains("cannot be written"));
  CHECK(files_in(folder.path()) == 0);
}

TEST_CASE("unfinished files of processes that are gone are removed by the next writer") {
  const Folder folder;
  const auto file = folder.path() / "kept.rec";
  const pid_t gone = fork();
  if (gone == 0) _exit(0);
  REQUIRE(waitpid(gone, nullptr, 0) == gone);
  std::array<char, 256> name{};
  REQUIRE(gethostname(name.data(), name.size() - 1) == 0);
  const std::string host = name.data();
  const auto left = [&](const std::string& end) {
    std::ofstream(file.string() + end) << "half";
    return std::filesystem::path(file.string() + end);
  };
  const auto dead = left(".unfinished-" + host + "-" + std::to_string(gone) + "-3"),
             alive = left(".unfinished-" + host + "-" + std::to_string(getpid()) + "-99999"),
             other = left(".unfinished-old"), elsewhere = left(".unfinished-other-" + std::to_string(gone) + "-3"),
             others = left("2.unfinished-" + host + "-" + std::to_string(gone) + "-0");
  CHECK(read(numbers(3).cache(file)) == range(0, 3));
  CHECK_FALSE(std::filesystem::exists(dead));
  for (const auto& stays : {alive, other, elsewhere, others, file}) CHECK(std::filesystem::exists(stays));
}
