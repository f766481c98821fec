// Readers that are cancelled, left or started again at any element lose no thread and no order. ThreadSanitizer runs
// these tests.
#include "tests/catch.hpp"
#include "tests/engine/data/forms.hpp"

using namespace assay::engine;
using namespace assay::engine::testing;

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
        prefetched ? base.prefetch(2) : base.prefetch(2).map(times_ten(), {.num_parallel_calls = 2}).prefetch(1);
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
  const Pipeline pipeline = numbers(100).map(times_ten(), {.num_parallel_calls = 2}).cache().batch(8).prefetch(2);
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
  Reader reader(numbers(1000).map(times_ten(), {.num_parallel_calls = 3}).batch(4).prefetch(2), without({"all"}, 3));
  Element element;
  REQUIRE(reader.next(element));
  reader.cancel();
  CHECK(within_a_second([&] { return reader.statistics().threads == 0; }));
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
    for (const Pipeline& pipeline : {numbers(20000).map(slow, {.num_parallel_calls = 3}).batch(4000),
                                     numbers(20000).map(slow).batch(4000).prefetch(1)}) {
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
