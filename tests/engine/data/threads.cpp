// Errors, cancelling, leaving and starting again at any point: no hang, no leaked thread, no lost order.
// ThreadSanitizer runs these too.
#include "tests/catch.hpp"
#include "tests/engine/data/pipelines.hpp"

using namespace assay::engine;
using namespace assay::engine::testing;

namespace {

/// The same failing work in every form that has threads, and without.
std::vector<Pipeline> forms(const Pipeline& source, const MapFunction& function) {
  return {source.map(function),
          source.map(function).prefetch(3),
          source.map(function, {.calls = 2}),
          source.map(function, {.calls = 4}).prefetch(2),
          source.map(function, {.calls = 4, .in_flight = 3}),
          source.prefetch(4).map(function, {.calls = 3}).prefetch(1),
          source.map(function, {.calls = automatic}).prefetch()};
}

std::string cause_of(const PipelineError& error) {
  try {
    if (error.cause()) std::rethrow_exception(error.cause());
  } catch (const std::runtime_error& cause) {
    return cause.what();
  }
  return "";
}

}  // namespace

TEST_CASE("an error in a map reaches the consumer once, with the element, after all that came before") {
  for (const Pipeline& pipeline : forms(numbers(20), fails_at(7))) {
    INFO(to_string(pipeline));
    Reader reader(pipeline, on_cores(4));
    for (int epoch = 0; epoch < 3; ++epoch) {
      Element element;
      for (std::int64_t i = 0; i < 7; ++i) {
        REQUIRE(reader.next(element));
        CHECK(element[0].item<std::int64_t>() == i);
      }
      bool thrown = false;
      try {
        reader.next(element);
      } catch (const PipelineError& error) {
        thrown = true;
        CHECK(error.index() == 7);
        CHECK(error.stage() == "map fails");
        CHECK(cause_of(error) == "no 7");
        CHECK_THAT(error.what(), Catch::Contains("map fails, element 7: no 7"));
      }
      CHECK(thrown);
      CHECK_FALSE(reader.next(element));
      CHECK(reader.statistics().threads == 0);
      reader.restart();
    }
  }
}

TEST_CASE("an error in a source does the same, and the next epoch is whole") {
  std::atomic<bool> broken{true};
  const Pipeline source = Pipeline::generate("source", 20, [&](std::uint64_t index, Element& out) {
    if (broken && index == 7) throw std::runtime_error("disk gone");
    write_number(out, static_cast<std::int64_t>(index));
  });
  for (const Pipeline& pipeline : forms(source, times_ten())) {
    INFO(to_string(pipeline));
    broken = true;
    Reader reader(pipeline, on_cores(4));
    Element element;
    Numbers before;
    std::string error;
    try {
      while (reader.next(element)) before.push_back(element[0].item<std::int64_t>());
    } catch (const PipelineError& found) {
      error = found.what();
      CHECK(found.index() == 7);
    }
    CHECK(before == range(0, 70, 10));
    CHECK_THAT(error, Catch::Contains("source") && Catch::Contains("disk gone"));
    CHECK(reader.statistics().threads == 0);
    broken = false;
    reader.restart();
    CHECK(rest_of(reader) == range(0, 200, 10));
  }
}

TEST_CASE("in any order an error comes once too") {
  Reader reader(numbers(50).map(fails_at(7), {.calls = 4, .in_order = false}), on_cores(4));
  Element element;
  int errors = 0;
  try {
    while (reader.next(element)) CHECK(element[0].item<std::int64_t>() != 7);
  } catch (const PipelineError& error) {
    ++errors;
    CHECK(error.index() == 7);
  }
  CHECK(errors == 1);
  CHECK_FALSE(reader.next(element));
}

TEST_CASE("a reader that is left or started again at any element ends its threads and loses nothing") {
  for (const Pipeline& pipeline : forms(numbers(12), times_ten())) {
    INFO(to_string(pipeline));
    for (int leave_at = 0; leave_at <= 13; ++leave_at) {
      Reader reader(pipeline, on_cores(4));
      Element element;
      for (int i = 0; i < leave_at; ++i) reader.next(element);
      reader.restart();
      REQUIRE(rest_of(reader) == range(0, 120, 10));
      CHECK(reader.statistics().threads == 0);
      reader.restart();
      reader.next(element);  // and is destroyed while its threads work
    }
  }
}

TEST_CASE("cancelling from another thread ends a read that waits, and every later one") {
  for (const bool prefetched : {false, true}) {
    std::atomic<bool> stuck{true}, inside{false};
    const MapFunction waits{.name = "waits", .call = [&](const Element& in, Element& out, const MapCall&) {
                              inside = true;
                              while (stuck) std::this_thread::sleep_for(std::chrono::milliseconds(1));
                              out.copy(in);
                            }};
    // The reading thread must not be the one that is stuck: a prefetch's thread is.
    const Pipeline base = numbers(5).map(waits);
    const Pipeline pipeline =
        prefetched ? base.prefetch(2) : base.prefetch(2).map(times_ten(), {.calls = 2}).prefetch(1);
    Reader reader(pipeline, on_cores(2));
    std::atomic<bool> cancelled{false};
    std::thread consumer([&] {
      Element element;
      try {
        reader.next(element);
      } catch (const Cancelled&) {
        cancelled = true;
      }
    });
    CHECK(within_a_second([&] { return inside.load(); }));
    reader.cancel();
    // The consumer's wait ends at once; the thread inside the map is waited for when the cursor goes.
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    stuck = false;
    consumer.join();
    CHECK(cancelled);
    Element element;
    CHECK_THROWS_AS(reader.next(element), Cancelled);
    CHECK(reader.statistics().threads == 0);
  }
}

TEST_CASE("cancelled at any element a reader ends with all its threads") {
  for (const Pipeline& pipeline : forms(numbers(12), times_ten())) {
    INFO(to_string(pipeline));
    for (int cancel_at = 0; cancel_at <= 12; ++cancel_at) {
      Reader reader(pipeline, on_cores(4));
      Element element;
      std::atomic<int> taken{0};
      std::thread other([&] {
        while (taken < cancel_at) std::this_thread::yield();
        reader.cancel();
      });
      bool cancelled = false;
      try {
        while (true) {
          if (reader.next(element))
            ++taken;
          else
            taken = 12;  // the end came first: the next read meets the cancelling
        }
      } catch (const Cancelled&) {
        cancelled = true;
      }
      other.join();
      CHECK(cancelled);
      CHECK(taken >= cancel_at);
      CHECK(reader.statistics().threads == 0);
    }
  }
}

TEST_CASE("several readers of one pipeline do not disturb each other") {
  const Pipeline pipeline = numbers(100).map(times_ten(), {.calls = 2}).cache().batch(8).prefetch(2);
  std::vector<std::thread> threads;
  std::atomic<int> right{0};
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      Reader reader(pipeline, on_cores(2));
      const bool first = rest_of(reader) == range(0, 1000, 10);
      reader.restart();
      right += first && rest_of(reader) == range(0, 1000, 10) ? 1 : 0;
    });
  }
  for (std::thread& thread : threads) thread.join();
  CHECK(right == 4);
}

TEST_CASE("statistics may be read while threads work") {
  Reader reader(numbers(2000).map(times_ten(), {.calls = 3}).batch(4).prefetch(2), on_cores(3));
  std::atomic<bool> done{false};
  std::atomic<std::int64_t> most{0};
  std::thread watcher([&] {
    while (!done) {
      for (const auto& stage : reader.statistics().stages) most = std::max(most.load(), stage.elements);
    }
  });
  CHECK(rest_of(reader) == range(0, 20000, 10));
  done = true;
  watcher.join();
  CHECK(most <= 2000);
}
