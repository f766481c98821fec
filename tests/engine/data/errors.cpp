// An exception reaches the consumer once, after everything that came before it. ThreadSanitizer runs these tests.
#include <algorithm>

#include "tests/catch.hpp"
#include "tests/engine/data/forms.hpp"

using namespace assay::engine;
using namespace assay::engine::testing;

namespace {

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
  Reader reader(numbers(50).map(fails_at(7), {.num_parallel_calls = 4, .deterministic = false}), on_cores(4));
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

TEST_CASE("a shuffle gives what came before an error, then the error") {
  for (const auto& off : {std::vector<std::string>{}, std::vector<std::string>{"all"}}) {
    for (const std::int64_t buffer : {1, 3, 7, 8, 50}) {
      INFO("buffer " << buffer);
      Reader reader(numbers(20).map(fails_at(7)).shuffle({.buffer_size = buffer}), without(off));
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
      Reader reader(source.shuffle({.buffer_size = buffer}).repeat(3), without(off));
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
  Reader reader(numbers(20).map(slow, {.num_parallel_calls = 4, .deterministic = false, .max_in_flight = 8}),
                on_cores(4));
  auto [before, error] = until_error(reader);
  std::ranges::sort(before);
  CHECK(before.size() >= 7);
  before.resize(std::min<std::size_t>(before.size(), 7));
  CHECK(before == range(0, 7));
  CHECK_THAT(error, Catch::Contains("no 7"));
}
