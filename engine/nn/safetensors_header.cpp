#include "engine/nn/safetensors_header.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>

namespace assay::engine::safetensors {
namespace {

using nlohmann::json;

[[noreturn]] void fail(const std::string& expected, const std::string& found) {
  throw HeaderError("expected " + expected + ", found " + found);
}

/// Text of the file for a message: it may be as long as the header.
std::string shortened(const std::string& text) {
  constexpr std::size_t max_length = 200;
  return text.size() <= max_length ? text : text.substr(0, max_length) + "…";
}
std::string in_quotes(const std::string& text) { return "'" + shortened(text) + "'"; }

/// Builds the entries while the JSON is parsed. Keys that the format does not know inside a tensor are skipped with
/// their values, as the reference implementation does.
class HeaderBuilder final : public nlohmann::json_sax<json> {
 public:
  std::map<std::string, Entry> entries;

  bool null() override { return scalar("null"); }
  bool boolean(bool) override { return scalar("a truth value"); }
  bool number_integer(std::int64_t number) override { return scalar(std::to_string(number)); }
  bool number_float(double, const std::string& text) override { return scalar(shortened(text)); }
  bool binary(json::binary_t&) override { return scalar("bytes"); }

  bool number_unsigned(std::uint64_t number) override {
    if (inside(Level::shape)) {
      tensor_.shape->push_back(number);
      return true;
    }
    if (!inside(Level::offsets)) return scalar(std::to_string(number));
    if (tensor_.offsets->size() == 2) fail("2 data_offsets" + of_tensor(), "more");
    tensor_.offsets->push_back(number);
    return true;
  }

  bool string(std::string& text) override {
    if (inside(Level::tensor) && key_ == "dtype")
      tensor_.dtype = text;
    else if (!inside(Level::metadata))
      return scalar(in_quotes(text));
    return true;
  }

  bool key(std::string& name) override {
    key_ = name;
    if (inside(Level::header)) {
      if (!keys_.insert(name).second) fail("every name once", in_quotes(name) + " twice");
      tensor_name_ = name;
    } else if (inside(Level::tensor) || inside(Level::metadata)) {
      if (!inner_keys_.insert(name).second) fail("every key once" + of_tensor(), in_quotes(name) + " twice");
    }
    return true;
  }

  bool start_object(std::size_t) override {
    if (levels_.empty()) return enter(Level::header);
    if (inside(Level::header)) {
      inner_keys_.clear();
      tensor_ = {};
      return enter(key_ == "__metadata__" ? Level::metadata : Level::tensor);
    }
    return scalar("an object") && enter(Level::skipped);
  }

  bool start_array(std::size_t) override {
    if (inside(Level::tensor) && key_ == "shape") {
      tensor_.shape.emplace();
      return enter(Level::shape);
    }
    if (inside(Level::tensor) && key_ == "data_offsets") {
      tensor_.offsets.emplace();
      return enter(Level::offsets);
    }
    return scalar("an array") && enter(Level::skipped);
  }

  bool end_object() override {
    if (inside(Level::tensor)) add_entry();
    levels_.pop_back();
    return true;
  }
  bool end_array() override {
    levels_.pop_back();
    return true;
  }

  bool parse_error(std::size_t, const std::string&, const json::exception& error) override {
    fail("a JSON header", shortened(error.what()));
  }

 private:
  enum class Level : std::uint8_t { header, metadata, tensor, shape, offsets, skipped };
  struct Tensor {
    std::optional<std::string> dtype;
    std::optional<std::vector<std::uint64_t>> shape, offsets;
  };
  static constexpr std::size_t max_depth = 128;  // of the reference implementation's JSON parser

  bool inside(Level level) const { return !levels_.empty() && levels_.back() == level; }
  std::string of_tensor() const { return tensor_name_.empty() ? "" : " in " + in_quotes(tensor_name_); }

  bool enter(Level level) {
    if (levels_.size() == max_depth)
      fail("JSON that is nested at most " + std::to_string(max_depth) + " deep" + of_tensor(), "more");
    levels_.push_back(level);
    return true;
  }

  /// A value where only skipped ones are allowed.
  bool scalar(const std::string& found) const {
    if (levels_.empty()) fail("a JSON object as header", found);
    switch (levels_.back()) {
      case Level::header:
        fail("dtype, shape and data_offsets of " + in_quotes(key_), found);
      case Level::metadata:
        fail("text for " + in_quotes(key_) + " in __metadata__", found);
      case Level::shape:
        fail("dimensions from 0 on in the shape of " + in_quotes(tensor_name_), found);
      case Level::offsets:
        fail("data_offsets from 0 on of " + in_quotes(tensor_name_), found);
      case Level::tensor:
        if (key_ == "dtype" || key_ == "shape" || key_ == "data_offsets")
          fail(std::string(key_ == "dtype" ? "text" : "an array") + " for " + key_ + " of " + in_quotes(tensor_name_),
               found);
        break;
      case Level::skipped:
        break;
    }
    return true;
  }

  void add_entry() {
    const auto require = [&](bool present, const char* field) {
      if (!present) fail("dtype, shape and data_offsets of " + in_quotes(tensor_name_), std::string("no ") + field);
    };
    require(tensor_.dtype.has_value(), "dtype");
    require(tensor_.shape.has_value(), "shape");
    require(tensor_.offsets.has_value(), "data_offsets");
    if (tensor_.offsets->size() != 2) fail("2 data_offsets" + of_tensor(), std::to_string(tensor_.offsets->size()));
    entries[tensor_name_] = {std::move(*tensor_.dtype), std::move(*tensor_.shape), tensor_.offsets->front(),
                             tensor_.offsets->back()};
  }

  std::vector<Level> levels_;
  std::string key_, tensor_name_;
  std::set<std::string> keys_, inner_keys_;
  Tensor tensor_;
};

/// Bytes of a tensor's values.
std::uint64_t bytes_of(const std::string& name, const Entry& entry) {
  const auto type =
      std::ranges::find_if(element_types(), [&](const ElementType& one) { return one.name == entry.dtype; });
  if (type == element_types().end())
    fail("an element type of the format for " + in_quotes(name), in_quotes(entry.dtype));
  std::uint64_t bits = 1;
  bool overflow = false;
  for (const std::uint64_t dim : entry.shape) overflow = __builtin_mul_overflow(bits, dim, &bits) || overflow;
  overflow = __builtin_mul_overflow(bits, std::uint64_t{type->bits}, &bits) || overflow;
  if (overflow)
    fail("a size of " + in_quotes(name) + " below 2^64 bits", shortened(to_string(entry.dtype, entry.shape)));
  if (bits % 8 != 0) fail("whole bytes for " + in_quotes(name), shortened(to_string(entry.dtype, entry.shape)));
  return bits / 8;
}

/// Every tensor begins where the one before ends, and the last ends with the file.
void check_offsets(const std::map<std::string, Entry>& entries, std::uint64_t values_bytes) {
  std::vector<const std::pair<const std::string, Entry>*> by_offset;
  for (const auto& one : entries) by_offset.push_back(&one);
  std::ranges::sort(by_offset, {}, [](const auto* one) { return std::pair(one->second.begin, one->second.end); });
  std::uint64_t next = 0;
  for (const auto* one : by_offset) {
    const auto& [name, entry] = *one;
    const std::string offsets = "offsets " + std::to_string(entry.begin) + " to " + std::to_string(entry.end);
    if (entry.begin != next || entry.end < entry.begin)
      fail(in_quotes(name) + " to begin at byte " + std::to_string(next) + ", without a gap or an overlap", offsets);
    if (const std::uint64_t bytes = bytes_of(name, entry); entry.end - entry.begin != bytes) {
      fail(std::to_string(bytes) + " bytes of " + in_quotes(name) + " (" +
               shortened(to_string(entry.dtype, entry.shape)) + ")",
           offsets);
    }
    next = entry.end;
  }
  if (next != values_bytes)
    fail(std::to_string(next) + " bytes of values after the header", std::to_string(values_bytes) + " bytes");
}

}  // namespace

const std::vector<ElementType>& element_types() {
  static const std::vector<ElementType> types{
      {"BOOL", 8},    {"F4", 4},      {"F6_E2M3", 6}, {"F6_E3M2", 6},     {"U8", 8},          {"I8", 8},
      {"F8_E5M2", 8}, {"F8_E4M3", 8}, {"F8_E8M0", 8}, {"F8_E4M3FNUZ", 8}, {"F8_E5M2FNUZ", 8}, {"I16", 16},
      {"U16", 16},    {"F16", 16},    {"BF16", 16},   {"I32", 32},        {"U32", 32},        {"F32", 32},
      {"C64", 64},    {"F64", 64},    {"I64", 64},    {"U64", 64}};
  return types;
}

std::map<std::string, Entry> parse_header(std::string_view text, std::uint64_t values_bytes) {
  // The JSON parser takes a byte order mark for white space and a zero byte for the end.
  const auto first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos || text[first] != '{')
    fail("a JSON header that begins with {", text.empty() ? "nothing" : "something else");
  if (text.find('\0') != std::string_view::npos) fail("a JSON header", "a zero byte in it");
  HeaderBuilder builder;
  json::sax_parse(text.begin(), text.end(), &builder);
  check_offsets(builder.entries, values_bytes);
  return std::move(builder.entries);
}

std::string to_string(std::string_view dtype, const std::vector<std::uint64_t>& shape) {
  std::string text;
  for (const std::uint64_t dim : shape) text += (text.empty() ? "" : ",") + std::to_string(dim);
  return std::string(dtype) + " [" + text + "]";
}

}  // namespace assay::engine::safetensors
