#include <algorithm>
#include <cctype>
#include <limits>

#include "harness/cases/catalogue.hpp"
#include "harness/json/json_place.hpp"

namespace assay::harness {
namespace {

using nlohmann::json;

std::string text(const JsonPlace& place) { return place.text(); }
bool flag(const JsonPlace& place) { return place.flag(); }
std::vector<std::string> texts(const JsonPlace& place) { return place.list(text); }
std::map<std::string, std::string> text_map(const JsonPlace& place) { return place.map(text); }

/// Fields that a program may leave out.
template <class Read>
auto optional(const JsonPlace& place, const std::string& key, Read read) -> decltype(read(place)) {
  if (!place.has(key)) return {};
  return read(place.at(key));
}

/// The name becomes a folder, and the part of `PROGRAM:CONFIGURATION` before the colon.
void read_program(const JsonPlace& p) {
  const std::string name = p.at("name").text();
  const bool fine = !name.empty() && name.front() != '.' && std::all_of(name.begin(), name.end(), [](unsigned char c) {
    return std::isgraph(c) && c != '/' && c != ':';
  });
  if (!fine) p.at("name").fail("a name without spaces, '/' and ':' that begins with no dot", "'" + name + "'");
  for (const char* field : {"version", "commit"}) optional(p, field, text);
  optional(p, "dirty", flag);
  if (p.has("build")) p.at("build").object();
}

CaseKind kind(const JsonPlace& place) {
  for (const CaseKind one : {CaseKind::timed, CaseKind::trained, CaseKind::exact, CaseKind::service})
    if (to_string(one) == place.text()) return one;
  place.fail("timed, trained, exact or service", "'" + place.text() + "'");
}

ControlInfo control(const JsonPlace& p) {
  return {p.at("name").text(),
          optional(p, "summary", text),
          p.at("on").flag(),
          p.at("acts").flag(),
          optional(p, "reason", text),
          optional(p, "environment_on", text_map),
          optional(p, "environment_off", text_map),
          optional(p, "needs", texts)};
}

Profile profile(const JsonPlace& p) {
  constexpr std::int64_t longest = std::numeric_limits<std::int64_t>::max();
  const auto count = [&](const char* name) { return static_cast<int>(p.at(name).whole(1, 10000)); };
  return {p.at("name").text(), count("rounds"), count("repetitions"), count("seeds"),
          optional(p, "lengths", [](const JsonPlace& lengths) {
            return lengths.map([](const JsonPlace& l) { return l.whole(1, longest); });
          })};
}

StandsFor stands_for(const JsonPlace& p) { return {optional(p, "off", texts), optional(p, "environment", text_map)}; }

ParameterInfo parameter(const JsonPlace& p) {
  return {p.at("name").text(), p.at("values").list(text), p.at("default").text(),
          optional(p, "stands_for", [](const JsonPlace& all) { return all.map(stands_for); })};
}

MetricInfo metric(const JsonPlace& p) {
  return {p.at("name").text(), p.at("unit").text(), optional(p, "better", text), optional(p, "exact", flag)};
}

Dependency need(const JsonPlace& p) {
  return {p.at("artifact").text(), p.at("from").text(), optional(p, "same_seed", flag)};
}

double seconds(const JsonPlace& p) {
  constexpr double week = 7 * 24 * 3600;
  if (const double value = p.number(); value >= 0 && value <= week) return value;
  p.fail("seconds from 0 to " + std::to_string(static_cast<int>(week)) + " (a week)", p.value().dump());
}

CaseInfo one_case(const JsonPlace& p) {
  CaseInfo result{p.at("name").text(),
                  kind(p.at("kind")),
                  optional(p, "parameters", [](const JsonPlace& all) { return all.list(parameter); }),
                  optional(p, "metrics", [](const JsonPlace& all) { return all.list(metric); }),
                  optional(p, "needs", [](const JsonPlace& all) { return all.list(need); }),
                  optional(p, "env", text_map),
                  optional(p, "launch", texts),
                  {}};
  if (p.has("limit_s")) result.limit_s = seconds(p.at("limit_s"));
  return result;
}

Group group(const JsonPlace& p) { return {p.at("name").text(), p.at("configurations").list(text)}; }

Comparison comparison(const JsonPlace& p) {
  return {p.at("id").text(),        p.at("metric").text(), p.at("baseline").text(),
          p.at("candidate").text(), p.at("form").text(),   p.at("margin").number()};
}

AblatedMetric ablated(const JsonPlace& p) {
  return {p.at("configuration").text(), p.at("metric").text(),
          optional(p, "controls", [](const JsonPlace& prefix) { return prefix.text(); })};
}

Declaration declaration(const JsonPlace& p) {
  return {p.at("file").text(), static_cast<int>(p.at("line").whole(1, std::numeric_limits<int>::max()))};
}

GatedMetric gated(const JsonPlace& p) {
  return {p.at("configuration").text(), p.at("metric").text(),
          p.at("effect").null() ? std::nullopt : std::optional(p.at("effect").number()),
          optional(p, "declared_at", declaration)};
}

ScenarioInfo scenario(const JsonPlace& p) {
  return {p.at("name").text(),
          optional(p, "question", text),
          optional(p, "budget_s", [](const JsonPlace& all) { return all.map(seconds); }),
          p.at("cases").list(one_case),
          optional(p, "groups", [](const JsonPlace& all) { return all.list(group); }),
          optional(p, "comparisons", [](const JsonPlace& all) { return all.list(comparison); }),
          optional(p, "gates", [](const JsonPlace& all) { return all.list(gated); }),
          optional(p, "ablations", [](const JsonPlace& all) { return all.list(ablated); })};
}

}  // namespace

std::vector<ParameterInfo> read_parameters(const nlohmann::json& list, const std::string& source) {
  return JsonPlace(list, source + ".parameters").list(parameter);
}

Catalogue read_catalogue(const nlohmann::json& document, const std::string& source) {
  try {
    const JsonPlace root(document, "");
    const JsonPlace protocol = root.at("protocol");
    if (protocol.whole() != 1)
      protocol.fail("1, the case protocol that this harness speaks", std::to_string(protocol.whole()));
    Catalogue result;
    result.program = root.at("program").object();
    read_program(root.at("program"));
    result.controls = optional(root, "controls", [](const JsonPlace& all) { return all.list(control); });
    result.profiles = root.at("profiles").list(profile);
    result.scenarios = root.at("scenarios").list(scenario);
    make_canonical(result);
    validate(result);
    return result;
  } catch (const CatalogueError& error) {
    throw CatalogueError(source + " cases: " + error.what());
  } catch (const JsonError& error) {
    throw CatalogueError(source + " cases: " + error.what());
  }
}

}  // namespace assay::harness
