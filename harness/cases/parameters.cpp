#include "harness/cases/parameters.hpp"

#include <charconv>
#include <stdexcept>

namespace assay::harness {
namespace {

template <class Map>
const typename Map::mapped_type& find(const Map& map, const std::string& key, const std::string& case_name,
                                      const char* what) {
  const auto found = map.find(key);
  if (found == map.end()) throw std::out_of_range("case " + case_name + ": no " + what + " '" + key + "'");
  return found->second;
}

}  // namespace

const std::string& Parameters::text(const std::string& key) const { return find(values, key, case_name, "parameter"); }

std::int64_t Parameters::integer(const std::string& key) const {
  const std::string& value = text(key);
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
  if (error != std::errc{} || end != value.data() + value.size())
    throw std::out_of_range("case " + case_name + ": parameter '" + key + "' is '" + value +
                            "', expected a whole number");
  return number;
}

std::int64_t Parameters::length(const std::string& key) const {
  return find(lengths, key, case_name, "length (the profile sets it; --length KEY=VALUE)");
}

const std::filesystem::path& Parameters::artifact(const std::string& name) const {
  return find(artifacts, name, case_name, "artifact (--artifact NAME=PATH)");
}

}  // namespace assay::harness
