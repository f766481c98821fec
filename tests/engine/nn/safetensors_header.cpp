// What a safetensors header may say. The cases follow the tests of the reference implementation and the format's text.
#include "engine/nn/safetensors_header.hpp"

#include "tests/catch.hpp"

using namespace assay::engine::safetensors;
using Catch::Matchers::Contains;

namespace {

std::string error_of(const std::string& text, std::uint64_t values_bytes) {
  try {
    parse_header(text, values_bytes);
  } catch (const HeaderError& error) {
    return error.what();
  }
  return "no HeaderError";
}

/// The header of one tensor 't'.
std::string one(const std::string& dtype, const std::string& shape, const std::string& offsets) {
  return R"({"t":{"dtype":")" + dtype + R"(","shape":[)" + shape + R"(],"data_offsets":[)" + offsets + "]}}";
}

std::string nested(const std::string& before, int depth) {
  return before + std::string(static_cast<std::size_t>(depth), '[') + std::string(static_cast<std::size_t>(depth), ']');
}

}  // namespace

TEST_CASE("safetensors: headers that the format allows") {
  CHECK(parse_header("{}", 0).empty());
  CHECK(parse_header("{}\r \t\n", 0).empty());
  CHECK(parse_header("\t\n{}\r ", 0).empty());  // writers may align the values to a page
  CHECK(parse_header(R"({"__metadata__":{"framework":"pt"}}     )", 0).empty());
  const auto scalar = parse_header(one("I32", "", "0,4"), 4);
  CHECK(scalar.at("t").shape.empty());
  CHECK(parse_header(one("I32", "2,0", "0, 0"), 0).at("t").shape == std::vector<std::uint64_t>{2, 0});
  CHECK(parse_header(one("F4", "1,2", "0,1"), 1).at("t").dtype == "F4");
  const auto any_order = parse_header(
      R"({"b":{"shape":[2],"data_offsets":[4,6],"dtype":"U8"},"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]},)"
      R"("é":{"dtype":"F32","shape":[0],"data_offsets":[4,4]}})",
      6);
  CHECK(any_order.at("a").end == 4);
  CHECK(any_order.at("b").begin == 4);
  CHECK(any_order.contains("é"));
}

TEST_CASE("safetensors: every element type has its size") {
  for (const ElementType& type : element_types()) {
    INFO(type.name);
    const std::uint64_t bytes = type.bits;  // of 8 elements
    CHECK(parse_header(one(std::string(type.name), "8", "0," + std::to_string(bytes)), bytes).size() == 1);
    CHECK_THAT(error_of(one(std::string(type.name), "8", "0," + std::to_string(bytes - 1)), bytes - 1),
               Contains(std::to_string(bytes) + " bytes of 't'"));
  }
  CHECK(element_types().size() == 22);
}

TEST_CASE("safetensors: headers that are no JSON object are refused") {
  CHECK_THAT(error_of("", 0), Contains("begins with {") && Contains("found nothing"));
  CHECK_THAT(error_of("   ", 0), Contains("begins with {"));
  CHECK_THAT(error_of("[]", 0), Contains("begins with {"));
  CHECK_THAT(error_of("\"t\"", 0), Contains("begins with {"));
  CHECK_THAT(error_of("\xff", 0), Contains("begins with {"));
  CHECK_THAT(error_of("\xef\xbb\xbf{}", 0), Contains("begins with {"));  // a byte order mark
  CHECK_THAT(error_of("{", 0), Contains("a JSON header"));
  CHECK_THAT(error_of("{\"\xff\":1}", 0), Contains("a JSON header"));
  CHECK_THAT(error_of("{} {}", 0), Contains("a JSON header"));
  CHECK_THAT(error_of("{/**/}", 0), Contains("a JSON header"));
  CHECK_THAT(error_of(std::string("{}\0\0", 4), 0), Contains("a zero byte"));
}

TEST_CASE("safetensors: a key that stands twice is refused wherever it does") {
  const std::string tensor = R"("t":{"dtype":"U8","shape":[1],"data_offsets":[0,1]})";
  CHECK_THAT(error_of("{" + tensor + "," + tensor + "}", 1), Contains("'t' twice"));
  CHECK_THAT(error_of(R"({"t":{"dtype":"U8","dtype":"U8","shape":[1],"data_offsets":[0,1]}})", 1),
             Contains("'dtype' twice") && Contains("'t'"));
  CHECK_THAT(error_of(R"({"__metadata__":{},"__metadata__":{}})", 0), Contains("'__metadata__' twice"));
  CHECK_THAT(error_of(R"({"__metadata__":{"a":"1","a":"2"}})", 0), Contains("'a' twice"));
}

TEST_CASE("safetensors: deep nesting is refused, whoever nests") {
  CHECK_THAT(error_of(nested(R"({"dense_0/kernel":)", 60000) + "}", 0), Contains("'dense_0/kernel'"));
  CHECK_THAT(error_of(nested(R"({"__metadata__":)", 60000) + "}", 0), Contains("__metadata__"));
  CHECK_THAT(error_of(nested(R"({"t":{"shape":)", 60000) + "}}", 0), Contains("shape of 't'"));
  CHECK_THAT(error_of(nested(R"({"t":{"extra":)", 60000) + "}}", 0), Contains("at most 128 deep"));
  CHECK_THAT(error_of(nested("", 60000), 0), Contains("begins with {"));
  CHECK(parse_header(nested(R"({"t":{"dtype":"U8","shape":[0],"data_offsets":[0,0],"extra":)", 100) + "}}", 0).size() ==
        1);
}

TEST_CASE("safetensors: a tensor has a dtype, a shape and two offsets, of the right kind") {
  CHECK_THAT(error_of(R"({"t":{"shape":[1],"data_offsets":[0,1]}})", 1), Contains("'t'") && Contains("no dtype"));
  CHECK_THAT(error_of(R"({"t":{"dtype":"U8","data_offsets":[0,1]}})", 1), Contains("no shape"));
  CHECK_THAT(error_of(R"({"t":{"dtype":"U8","shape":[1]}})", 1), Contains("no data_offsets"));
  CHECK_THAT(error_of(one("F8", "1", "0,1"), 1), Contains("'F8'"));
  CHECK_THAT(error_of(R"({"t":{"dtype":7,"shape":[1],"data_offsets":[0,1]}})", 1), Contains("text for dtype"));
  CHECK_THAT(error_of(R"({"t":{"dtype":"U8","shape":1,"data_offsets":[0,1]}})", 1), Contains("an array for shape"));
  CHECK_THAT(error_of(one("U8", "-1", "0,1"), 1), Contains("found -1"));
  CHECK_THAT(error_of(one("U8", "1.0", "0,1"), 1), Contains("found 1.0"));
  CHECK_THAT(error_of(one("U8", "18446744073709551616", "0,1"), 1), Contains("found 18446744073709551616"));
  CHECK_THAT(error_of(one("U8", "\"1\"", "0,1"), 1), Contains("found '1'"));
  CHECK_THAT(error_of(one("U8", "1", "-1,0"), 1), Contains("found -1"));
  CHECK_THAT(error_of(one("U8", "1", "0"), 1), Contains("2 data_offsets"));
  CHECK_THAT(error_of(one("U8", "1", "0,1,2"), 1), Contains("2 data_offsets"));
  CHECK_THAT(error_of(R"({"t":7})", 0), Contains("dtype, shape and data_offsets of 't', found 7"));
  CHECK_THAT(error_of(R"({"__metadata__":{"rows":7}})", 0), Contains("text for 'rows'"));
  CHECK_THAT(error_of(R"({"__metadata__":"pt"})", 0), Contains("'__metadata__'"));
}

TEST_CASE("safetensors: tensors cover the values without a gap, an overlap or a rest") {
  const auto two = [](const std::string& first, const std::string& second) {
    return R"({"a":{"dtype":"U8","shape":[4],"data_offsets":[)" + first +
           R"(]},"b":{"dtype":"U8","shape":[4],"data_offsets":[)" + second + "]}}";
  };
  CHECK(parse_header(two("0,4", "4,8"), 8).size() == 2);
  CHECK_THAT(error_of(two("0,4", "5,9"), 9), Contains("'b' to begin at byte 4") && Contains("5 to 9"));
  CHECK_THAT(error_of(two("0,4", "3,7"), 8), Contains("'b' to begin at byte 4") && Contains("3 to 7"));
  CHECK_THAT(error_of(two("0,4", "0,4"), 4), Contains("to begin at byte 4"));  // two tensors of the same bytes
  CHECK_THAT(error_of(two("1,5", "5,9"), 9), Contains("'a' to begin at byte 0"));
  CHECK_THAT(error_of(one("U8", "4", "4,0"), 4), Contains("4 to 0"));
  CHECK_THAT(error_of(one("I32", "2,2", "0, 4"), 4), Contains("16 bytes of 't'") && Contains("0 to 4"));
  CHECK_THAT(error_of(one("I32", "2,2", "0,16"), 14), Contains("16 bytes of values") && Contains("14 bytes"));
  CHECK_THAT(error_of(one("I32", "2,2", "0,16"), 50), Contains("16 bytes of values") && Contains("50 bytes"));
  CHECK_THAT(error_of("{}", 1), Contains("0 bytes of values"));
}

TEST_CASE("safetensors: sizes that overflow or end inside a byte are refused") {
  CHECK_THAT(error_of(one("I32", "2,18446744073709551614", "0,16"), 16), Contains("below 2^64 bits"));
  CHECK_THAT(error_of(one("I32", "2,9223372036854775807", "0,16"), 16), Contains("below 2^64 bits"));
  CHECK_THAT(error_of(one("F4", "1,3", "0,2"), 2), Contains("whole bytes") && Contains("F4 [1,3]"));
  CHECK_THAT(error_of(one("F6_E2M3", "3", "0,2"), 2), Contains("whole bytes"));
}

TEST_CASE("safetensors: messages quote no more than the beginning of a long name") {
  const std::string name(1000000, 'n');
  CHECK(error_of("{\"" + name + "\":7}", 0).size() < 500);
  CHECK(error_of("{\"" + name + "\":7,,}", 0).size() < 500);
  CHECK(error_of("{\"t\":{\"dtype\":" + name + "}}", 0).size() < 500);
}
