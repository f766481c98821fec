#include <cmath>

#include "harness/cases/catalogue.hpp"

namespace assay::harness {
namespace {

using nlohmann::json;

/// A place in a JSON document that knows its path, so that every error names it: "scenarios[0].cases[1].kind".
class Place {
 public:
  Place(const json& value, std::string path) : value_(value), path_(std::move(path)) {}

  Place at(const std::string& key) const {
    need(value_.is_object(), "an object");
    const auto found = value_.find(key);
    if (found == value_.end()) fail("'" + key + "'", "nothing of that name");
    return {*found, path_ + (path_.empty() ? "" : ".") + key};
  }
  bool has(const std::string& key) const { return value_.is_object() && value_.contains(key); }

  std::string text() const { return need(value_.is_string(), "a string"), value_.get<std::string>(); }
  bool flag() const { return need(value_.is_boolean(), "true or false"), value_.get<bool>(); }
  std::int64_t whole() const { return need(value_.is_number_integer(), "a whole number"), value_.get<std::int64_t>(); }
  double number() const { return need(value_.is_number(), "a number"), value_.get<double>(); }
  const json& object() const { return need(value_.is_object(), "an object"), value_; }

  template <class Read>
  auto list(Read read) const {
    need(value_.is_array(), "a list");
    std::vector<decltype(read(*this))> result;
    for (std::size_t i = 0; i < value_.size(); ++i)
      result.push_back(read(Place(value_[i], path_ + std::string("[").append(std::to_string(i)).append("]"))));
    return result;
  }
  template <class Read>
  auto map(Read read) const {
    need(value_.is_object(), "an object");
    std::map<std::string, decltype(read(*this))> result;
    for (const auto& [key, value] : value_.items()) result.emplace(key, read(Place(value, path_ + "." + key)));
    return result;
  }
  [[noreturn]] void fail(const std::string& expected, const std::string& found) const {
    throw CatalogueError((path_.empty() ? "the document" : path_) + ": expected " + expected + ", found " + found);
  }

 private:
  void need(bool holds, const char* expected) const {
    if (!holds) fail(expected, value_.dump(-1, ' ', false, json::error_handler_t::replace).substr(0, 60));
  }
  const json& value_;
  std::string path_;
};

std::string text(const Place& place) { return place.text(); }
bool flag(const Place& place) { return place.flag(); }
std::vector<std::string> texts(const Place& place) { return place.list(text); }
std::map<std::string, std::string> text_map(const Place& place) { return place.map(text); }

/// Fields that a program may leave out.
template <class Read>
auto optional(const Place& place, const std::string& key, Read read) -> decltype(read(place)) {
  if (!place.has(key)) return {};
  return read(place.at(key));
}

Kind kind(const Place& place) {
  for (const Kind one : {Kind::timed, Kind::trained, Kind::exact, Kind::service})
    if (to_string(one) == place.text()) return one;
  place.fail("timed, trained, exact or service", "'" + place.text() + "'");
}

ControlEntry control(const Place& p) {
  return {p.at("name").text(),
          optional(p, "summary", text),
          p.at("on").flag(),
          p.at("acts").flag(),
          optional(p, "reason", text),
          optional(p, "environment_on", text_map),
          optional(p, "environment_off", text_map)};
}

Profile profile(const Place& p) {
  return {p.at("name").text(), static_cast<int>(p.at("rounds").whole()), static_cast<int>(p.at("repetitions").whole()),
          static_cast<int>(p.at("seeds").whole()), optional(p, "lengths", [](const Place& lengths) {
            return lengths.map([](const Place& l) { return l.whole(); });
          })};
}

StandsFor stands_for(const Place& p) { return {optional(p, "off", texts), optional(p, "environment", text_map)}; }

ParameterInfo parameter(const Place& p) {
  return {p.at("name").text(), p.at("values").list(text), p.at("default").text(),
          optional(p, "stands_for", [](const Place& all) { return all.map(stands_for); })};
}

MetricInfo metric(const Place& p) {
  return {p.at("name").text(), p.at("unit").text(), optional(p, "better", text), optional(p, "exact", flag)};
}

Need need(const Place& p) { return {p.at("artifact").text(), p.at("from").text(), optional(p, "same_seed", flag)}; }

CaseOffer one_case(const Place& p) {
  CaseOffer result{p.at("name").text(),
                   kind(p.at("kind")),
                   optional(p, "parameters", [](const Place& all) { return all.list(parameter); }),
                   optional(p, "metrics", [](const Place& all) { return all.list(metric); }),
                   optional(p, "needs", [](const Place& all) { return all.list(need); }),
                   optional(p, "env", text_map),
                   optional(p, "launch", texts),
                   {}};
  if (p.has("limit_s")) result.limit_s = p.at("limit_s").number();
  return result;
}

Group group(const Place& p) { return {p.at("name").text(), p.at("configurations").list(text)}; }

Comparison comparison(const Place& p) {
  return {p.at("id").text(),        p.at("metric").text(), p.at("baseline").text(),
          p.at("candidate").text(), p.at("form").text(),   p.at("margin").number()};
}

ScenarioOffer scenario(const Place& p) {
  return {p.at("name").text(),
          optional(p, "question", text),
          optional(p, "budget_s", [](const Place& all) { return all.map([](const Place& b) { return b.number(); }); }),
          p.at("cases").list(one_case),
          optional(p, "groups", [](const Place& all) { return all.list(group); }),
          optional(p, "comparisons", [](const Place& all) { return all.list(comparison); })};
}

}  // namespace

std::vector<ParameterInfo> read_parameters(const nlohmann::json& list, const std::string& source) {
  return Place(list, source + ".parameters").list(parameter);
}

Catalogue read_catalogue(const nlohmann::json& document, const std::string& source) {
  try {
    const Place root(document, "");
    const Place protocol = root.at("protocol");
    if (protocol.whole() != 1)
      protocol.fail("1, the case protocol that this harness speaks", std::to_string(protocol.whole()));
    Catalogue result;
    result.program = root.at("program").object();
    root.at("program").at("name").text();
    result.controls = optional(root, "controls", [](const Place& all) { return all.list(control); });
    result.profiles = root.at("profiles").list(profile);
    result.scenarios = root.at("scenarios").list(scenario);
    make_canonical(result);
    validate(result);
    return result;
  } catch (const CatalogueError& error) {
    throw CatalogueError(source + " cases: " + error.what());
  }
}

}  // namespace assay::harness
