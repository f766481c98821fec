#include "harness/machine/read_text.hpp"

#include <algorithm>

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

TEST_CASE("a number that does not fit is none") {
  CHECK_FALSE(integer_of("9223372036854775808"));
  CHECK(counter_of("18446744073709551615\n").value() == 18446744073709551615U);
  CHECK_FALSE(counter_of("18446744073709551616"));
  CHECK_FALSE(counter_of("-1"));
}

TEST_CASE("text that is printed holds no control characters and is UTF-8") {
  CHECK(printable("plain, \xc3\xbc, \xe2\x82\xac, \xf0\x9f\x98\x80") ==
        "plain, \xc3\xbc, \xe2\x82\xac, \xf0\x9f\x98\x80");
  CHECK(printable("a\tb\x1b[0m\x7f") == "a?b?[0m?");
  CHECK(printable("\xff|\xc3|\xe2\x82|\x80") == "?|?|??|?");
  CHECK(printable("\xc0\x80") == "??");            // longer than needed
  CHECK(printable("\xe0\x80\x80") == "???");       // the same in three
  CHECK(printable("\xed\xa0\x80") == "???");       // a surrogate
  CHECK(printable("\xf4\x90\x80\x80") == "????");  // above U+10FFFF
}

TEST_CASE("a value of os-release is unquoted as a shell does it") {
  CHECK(unquoted("\"Debian GNU/Linux 12 (bookworm)\"") == "Debian GNU/Linux 12 (bookworm)");
  CHECK(unquoted("'My \\ Linux'") == "My \\ Linux");
  CHECK(unquoted("\"a \\\"b\\\" \\$c\"") == "a \"b\" $c");
  CHECK(unquoted("Arch") == "Arch");
  CHECK(unquoted("\"") == "\"");
}

TEST_CASE("a folder's entries are sorted, and one that is not there has none") {
  CHECK(entries_of("/nonexistent").empty());
  const auto entries = entries_of("/proc/self");
  CHECK(entries.size() > 10);
  CHECK(std::is_sorted(entries.begin(), entries.end()));
}

TEST_CASE("a file that is not there is no text") {
  CHECK_FALSE(read_text("/nonexistent/file"));
  CHECK_FALSE(read_integer("/nonexistent/file"));
}
