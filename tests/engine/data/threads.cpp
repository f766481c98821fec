// Errors, cancelling, leaving and starting again at any point: no hang, no leaked thread, no lost order.
// ThreadSanitizer runs these too.
#include <algorithm>

#include "tests/catch.hpp"
#include "tests/engine/data/pipelines.hpp"

using namespace assay::engine;
using namespace assay::engine::testing;

namespace {

/// A pipeline that gives the elements of its source, perhaps twice, in batches, or in another order.
struct Form {
  Pipeline pipeline;
  std::size_t batch = 1, times = 1;
  bool in_order = true;
};

/// The same work in every form that has threads or state between elements, and without.
std::vector<Form> forms(const Pipeline& source, const MapFunction& function) {
  const MapWay two{.calls = 2};
  const Pipeline mapped = source.map(function, two), first = source.take(10), rest = source.skip(10);
  return {{source.map(function)},
          {source.map(function).prefetch(3)},
          {mapped},
          {source.map(function, {.calls = 4}).prefetch(2)},
          {source.map(function, {.calls = 4, .in_flight = 3})},
          {source.prefetch(4).map(function, {.calls = 3}).prefetch(1)},
          {source.map(function, {.calls = automatic}).prefetch()},
          {source.map(function).batch(3), 3},
          {mapped.batch(3).prefetch(2), 3},
          {mapped.prefetch(1).batch(2), 2},
          {source.map(function, {.calls = 4}).shuffle({.buffer = 4}), 1, 1, false},
          {source.prefetch(2).map(function).shuffle({.buffer = 30}).prefetch(2), 1, 1, false},
          {mapped.shuffle({.buffer = 4}).repeat(2).prefetch(2), 1, 2, false},
          {mapped.repeat(2).prefetch(2), 1, 2},
          {Pipeline::interleave({first.map(function, two), rest.map(function, two).prefetch(2)}, 1).prefetch(2)},
          {Pipeline::zip({mapped.prefetch(2), source.prefetch(1)}).prefetch(2)},
          {mapped.cache().batch(3).prefetch(1), 3},
          {mapped.cache().shuffle({.buffer = 5}).repeat(2), 1, 2, false}};
}

/// Once for each time, in the order that the form gives.
Numbers in_form(const Form& form, const Numbers& once) {
  Numbers result;
  for (std::size_t i = 0; i < form.times; ++i) result.insert(result.end(), once.begin(), once.end());
  if (!form.in_order) std::ranges::sort(result);
  return result;
}

Numbers rest_in_form(const Form& form, Reader& reader) {
  Numbers result = rest_of(reader);
  if (!form.in_order) std::ranges::sort(result);
  return result;
}

/// Reads statistics all the time, from a thread of its own.
class Watcher {
 public:
  explicit Watcher(const Reader& reader)
      : thread_([this, &reader](const std::stop_token& stop) {
          while (!stop.stop_requested()) {
            for (const auto& all : {reader.statistics(), reader.epoch_statistics()}) {
              for (const auto& stage : all.stages) seen_ = std::max(seen_.load(), stage.elements);
            }
            std::this_thread::yield();
          }
        }) {}

 private:
  std::atomic<std::int64_t> seen_{0};
  std::jthread thread_;
};

struct Ending {
  Numbers before;
  std::string error;
};

/// What a reader gives until it throws a PipelineError, and that; "" where the end came.
Ending until_error(Reader& reader) {
  Ending result;
  Element element;
  try {
    while (reader.next(element)) {
      const auto values = element[0].as<std::int64_t>();
      result.before.insert(result.before.end(), values.begin(), values.end());
    }
  } catch (const PipelineError& error) {
    result.error = error.what();
  }
  CHECK_FALSE(reader.next(element));
  return result;
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
  for (const Form& form : forms(numbers(20), fails_at(7))) {
    INFO(to_string(form.pipeline));
    Reader reader(form.pipeline, on_cores(4));
    const Watcher watcher(reader);
    for (int epoch = 0; epoch < 3; ++epoch) {
      Element element;
      Numbers before;
      const std::size_t whole_batches = 7 / form.batch;
      for (std::size_t i = 0; i < whole_batches; ++i) {
        REQUIRE(reader.next(element));
        const auto values = element[0].as<std::int64_t>();
        before.insert(before.end(), values.begin(), values.end());
      }
      if (!form.in_order) std::ranges::sort(before);
      CHECK(before == range(0, static_cast<std::int64_t>(whole_batches * form.batch)));
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
  for (const Form& form : forms(source, times_ten())) {
    INFO(to_string(form.pipeline));
    broken = true;
    Reader reader(form.pipeline, on_cores(4));
    const Watcher watcher(reader);
    auto [before, error] = until_error(reader);
    if (!form.in_order) std::ranges::sort(before);
    CHECK(before == range(0, static_cast<std::int64_t>(7 / form.batch * form.batch * 10), 10));
    CHECK_THAT(error, Catch::Contains("source") && Catch::Contains("element 7: disk gone"));
    CHECK(reader.statistics().threads == 0);
    broken = false;
    reader.restart();
    CHECK(rest_in_form(form, reader) == in_form(form, range(0, 200, 10)));
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
  for (const Form& form : forms(numbers(12), times_ten())) {
    INFO(to_string(form.pipeline));
    for (int leave_at = 0; leave_at <= 13; ++leave_at) {
      Reader reader(form.pipeline, on_cores(4));
      const Watcher watcher(reader);
      Element element;
      for (int i = 0; i < leave_at; ++i) reader.next(element);
      reader.restart();
      REQUIRE(rest_in_form(form, reader) == in_form(form, range(0, 120, 10)));
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
  for (const Form& form : forms(numbers(12), times_ten())) {
    INFO(to_string(form.pipeline));
    for (int cancel_at = 0; cancel_at <= 12; ++cancel_at) {
      Reader reader(form.pipeline, on_cores(4));
      const Watcher watcher(reader);
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

TEST_CASE("a cancelled reader's threads end before anybody reads again") {
  Reader reader(numbers(1000).map(times_ten(), {.calls = 3}).batch(4).prefetch(2), without({"all"}, 3));
  Element element;
  REQUIRE(reader.next(element));
  reader.cancel();
  CHECK(within_a_second([&] { return reader.statistics().threads == 0; }));
}

TEST_CASE("a shuffle gives what came before an error, then the error") {
  for (const auto& off : {std::vector<std::string>{}, std::vector<std::string>{"all"}}) {
    for (const std::int64_t buffer : {1, 3, 7, 8, 50}) {
      INFO("buffer " << buffer);
      Reader reader(numbers(20).map(fails_at(7)).shuffle({.buffer = buffer}), without(off));
      auto [before, error] = until_error(reader);
      std::ranges::sort(before);
      CHECK(before == range(0, 7));
      CHECK_THAT(error, Catch::Contains("map fails, element 7: no 7"));
    }
  }
}

TEST_CASE("an error in the next round of a shuffle and repeat takes nothing from this one") {
  for (const auto& off : {std::vector<std::string>{}, std::vector<std::string>{"all"}}) {
    for (const std::int64_t buffer : {2, 6, 50}) {
      std::atomic<int> calls{0};
      const Pipeline source = Pipeline::generate("breaks", 10, [&](std::uint64_t index, Element& out) {
        if (++calls == 15) throw std::runtime_error("disk gone");
        write_number(out, static_cast<std::int64_t>(index));
      });
      Reader reader(source.shuffle({.buffer = buffer}).repeat(3), without(off));
      auto [before, error] = until_error(reader);
      REQUIRE(before.size() == 14);
      std::ranges::sort(before.begin(), before.begin() + 10);
      std::ranges::sort(before.begin() + 10, before.end());
      const Numbers expected{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 1, 2, 3};
      CHECK(before == expected);
      CHECK_THAT(error, Catch::Contains("breaks") && Catch::Contains("element 4: disk gone"));
    }
  }
}

TEST_CASE("in any order an error comes after all that were fetched before it") {
  const MapFunction slow{.name = "slow", .call = [](const Element& in, Element& out, const MapCall&) {
                           const auto value = in[0].item<std::int64_t>();
                           if (value == 7) throw std::runtime_error("no 7");
                           std::this_thread::sleep_for(std::chrono::milliseconds(5));
                           write_number(out, value);
                         }};
  Reader reader(numbers(20).map(slow, {.calls = 4, .in_order = false, .in_flight = 8}), on_cores(4));
  auto [before, error] = until_error(reader);
  std::ranges::sort(before);
  CHECK(before.size() >= 7);
  before.resize(std::min<std::size_t>(before.size(), 7));
  CHECK(before == range(0, 7));
  CHECK_THAT(error, Catch::Contains("no 7"));
}

TEST_CASE("a reader that is left or started again does not wait for what nobody will take") {
  // The thread looks for the second element of a shard of very many over a source without end.
  std::atomic<bool> given_up{false}, ended{false};
  const Pipeline endless = Pipeline::generate("endless", 9, [&](std::uint64_t index, Element& out) {
                             if (given_up) throw std::runtime_error("nobody stopped it");
                             write_number(out, static_cast<std::int64_t>(index));
                           }).repeat();
  std::jthread guard([&] { given_up = !within_seconds(10, [&] { return ended.load(); }); });
  for (const bool again : {false, true}) {
    Reader reader(endless.shard(std::int64_t{1} << 40, 0).prefetch(2), on_cores(2));
    Element element;
    REQUIRE(reader.next(element));
    if (!again) continue;
    reader.restart();
    CHECK(reader.next(element));
    reader.cancel();
    CHECK_THROWS_AS(reader.next(element), Cancelled);
    reader.restart();
    CHECK_THROWS_AS(reader.next(element), Cancelled);
  }
  ended = true;
  guard.join();
  CHECK_FALSE(given_up);
}

TEST_CASE("a batch of slow rows is left in the middle") {
  std::atomic<int> calls{0};
  const MapFunction slow{.name = "slow", .call = [&calls](const Element& in, Element& out, const MapCall&) {
                           ++calls;
                           std::this_thread::sleep_for(std::chrono::milliseconds(1));
                           out.copy(in);
                         }};
  for (const auto& off : {std::vector<std::string>{}, std::vector<std::string>{"all"}}) {
    for (const Pipeline& pipeline :
         {numbers(20000).map(slow, {.calls = 3}).batch(4000), numbers(20000).map(slow).batch(4000).prefetch(1)}) {
      Reader reader(pipeline, without(off, 3));
      calls = 0;
      std::thread other([&] {
        within_a_second([&] { return calls > 3; });
        reader.cancel();
      });
      Element element;
      CHECK_THROWS_AS(reader.next(element), Cancelled);
      other.join();
      CHECK(calls < 3000);
    }
  }
}
