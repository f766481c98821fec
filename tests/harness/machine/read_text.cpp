#include "harness/machine/read_text.hpp"

#include "tests/catch.hpp"

using namespace assay::harness;

TEST_CASE("texts are taken apart") {
  CHECK(trimmed(" \ta b\n") == "a b");
  CHECK(trimmed(" \n").empty());
  CHECK(lines_of("a\n\nb") == std::vector<std::string_view>{"a", "", "b"});
  CHECK(lines_of("a\n") == std::vector<std::string_view>{"a"});
  CHECK(words_of("  a\t bc \n") == std::vector<std::string_view>{"a", "bc"});
  CHECK(words_of("").empty());
}

TEST_CASE("a line is a key and a value") {
  const auto pair = key_value("model name\t: Xeon: gold ");
  REQUIRE(pair);
  CHECK(pair->first == "model name");
  CHECK(pair->second == "Xeon: gold");
  CHECK_FALSE(key_value("no separator"));
}

TEST_CASE("a number is a whole text") {
  CHECK(integer_of(" -12\n").value() == -12);
  CHECK_FALSE(integer_of("12 kB"));
  CHECK_FALSE(integer_of(""));
}

TEST_CASE("a file that is not there is no text") {
  CHECK_FALSE(read_text("/nonexistent/file"));
  CHECK_FALSE(read_integer("/nonexistent/file"));
}
