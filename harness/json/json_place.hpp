#pragma once
#include <cstdint>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

namespace assay::harness {

/// A field of a JSON document that is missing or of another type than its reader needs: names the place, what was
/// expected and what was found.
class JsonError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A place in a JSON document that knows its path, so that every error names it: "scenarios[0].cases[1].kind". All
/// that comes from a file or another program is read through it: the library's own exceptions name no place.
class JsonPlace {
 public:
  JsonPlace(const nlohmann::json& value, std::string path) : value_(value), path_(std::move(path)) {}

  JsonPlace at(const std::string& key) const {
    need(value_.is_object(), "an object");
    const auto found = value_.find(key);
    if (found == value_.end()) fail("'" + key + "'", "nothing of that name");
    return {*found, path_ + (path_.empty() ? "" : ".") + key};
  }
  bool has(const std::string& key) const { return value_.is_object() && value_.contains(key); }

  std::string text() const { return need(value_.is_string(), "a string"), value_.get<std::string>(); }
  bool flag() const { return need(value_.is_boolean(), "true or false"), value_.get<bool>(); }
  std::int64_t whole() const { return need(is_whole(), "a whole number"), value_.get<std::int64_t>(); }
  std::int64_t whole(std::int64_t low, std::int64_t high) const {
    if (!is_whole() || whole() < low || whole() > high)
      fail("a whole number from " + std::to_string(low) + " to " + std::to_string(high), shown());
    return whole();
  }
  std::uint64_t natural() const {
    return need(value_.is_number_unsigned(), "a whole number from 0 up"), value_.get<std::uint64_t>();
  }
  double number() const { return need(value_.is_number(), "a number"), value_.get<double>(); }
  bool null() const { return value_.is_null(); }
  const nlohmann::json& value() const { return value_; }
  const nlohmann::json& object() const { return need(value_.is_object(), "an object"), value_; }

  template <class Read>
  auto list(Read read) const {
    need(value_.is_array(), "a list");
    std::vector<decltype(read(*this))> result;
    for (std::size_t i = 0; i < value_.size(); ++i)
      result.push_back(read(JsonPlace(value_[i], path_ + std::string("[").append(std::to_string(i)).append("]"))));
    return result;
  }
  template <class Read>
  auto map(Read read) const {
    need(value_.is_object(), "an object");
    std::map<std::string, decltype(read(*this))> result;
    for (const auto& [key, value] : value_.items()) result.emplace(key, read(JsonPlace(value, path_ + "." + key)));
    return result;
  }
  /// For what a reader without a result checks.
  template <class Check>
  void each(Check check) const {
    list([&](const JsonPlace& place) { return check(place), 0; });
  }
  [[noreturn]] void fail(const std::string& expected, const std::string& found) const {
    throw JsonError((path_.empty() ? "the document" : path_) + ": expected " + expected + ", found " + found);
  }

 private:
  void need(bool holds, const char* expected) const {
    if (!holds) fail(expected, shown());
  }
  std::string shown() const {
    return value_.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace).substr(0, 60);
  }
  /// One that fits: larger unsigned ones would come out negative.
  bool is_whole() const {
    return value_.is_number_integer() &&
           (!value_.is_number_unsigned() || value_.get<std::uint64_t>() <= std::uint64_t{INT64_MAX});
  }
  const nlohmann::json& value_;
  std::string path_;
};

/// Parses one JSON value. Throws JsonError for what is no JSON, says where, and for what is nested deeper than
/// `deepest`: later walks over it are recursive.
nlohmann::json parse_json(std::string_view text, int deepest = 64);

}  // namespace assay::harness
