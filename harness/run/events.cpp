#include "harness/run/events.hpp"

#include <cstring>
#include <stdexcept>

#include "harness/json/json_place.hpp"
#include "harness/text/format_number.hpp"

namespace assay::harness {
namespace {

using nlohmann::json;

enum class Type { text, number, whole, port, flag, list_of_numbers, list_of_whole, object, list, axis, any };

bool is_number(const json& value) { return value.is_number() || value.is_null(); }

bool all_of(const json& list, bool (*holds)(const json&)) {
  if (!list.is_array()) return false;
  for (const auto& entry : list)
    if (!holds(entry)) return false;
  return true;
}

bool is(const json& value, Type type) {
  switch (type) {
    case Type::text:
      return value.is_string();
    case Type::number:
      return is_number(value);
    case Type::whole:
      return value.is_number_integer();
    case Type::port:
      return value.is_number_unsigned() && value.get<std::uint64_t>() - 1 < 65535;
    case Type::flag:
      return value.is_boolean();
    case Type::list_of_numbers:
      return all_of(value, is_number);
    case Type::list_of_whole:
      return all_of(value, [](const json& v) { return v.is_number_integer(); });
    case Type::object:
      return value.is_object();
    case Type::list:
      return value.is_array();
    case Type::axis:
      return value.is_object() && is(value.value("name", json()), Type::text) &&
             is(value.value("unit", json()), Type::text) && is(value.value("values", json()), Type::list_of_numbers);
    case Type::any:
      return true;
  }
  return false;
}

struct Field {
  const char* event;
  const char* name;
  Type type;
  const char* expected;
  bool optional = false;
};

/// docs/protocol.md, the fields that the harness relies on.
constexpr Field fields[] = {
    {"start", "protocol", Type::whole, "a whole number"},
    {"start", "case", Type::text, "a string"},
    {"start", "parameters", Type::object, "an object"},
    {"start", "controls", Type::list, "a list"},
    {"choice", "name", Type::text, "a string"},
    {"choice", "value", Type::any, "a value"},
    {"samples", "metric", Type::text, "a string"},
    {"samples", "unit", Type::text, "a string"},
    {"samples", "better", Type::text, "a string"},
    {"samples", "values", Type::list_of_numbers, "a list of numbers or null"},
    {"samples", "reason", Type::text, "a string", true},
    {"value", "reason", Type::text, "a string", true},
    {"value", "metric", Type::text, "a string"},
    {"value", "unit", Type::text, "a string"},
    {"value", "better", Type::text, "a string"},
    {"value", "value", Type::number, "a number or null"},
    {"series", "name", Type::text, "a string"},
    {"series", "x", Type::axis, "an object with name, unit and a list of values"},
    {"series", "y", Type::axis, "an object with name, unit and a list of values"},
    {"check", "name", Type::text, "a string"},
    {"check", "passed", Type::flag, "true or false"},
    {"check", "measured", Type::number, "a number or null"},
    {"check", "limit", Type::number, "a number or null"},
    {"predictions", "name", Type::text, "a string"},
    {"predictions", "predicted", Type::list_of_whole, "a list of labels"},
    {"predictions", "expected", Type::list_of_whole, "a list of labels"},
    {"artifact", "name", Type::text, "a string"},
    {"artifact", "path", Type::text, "a string"},
    {"artifact", "sha256", Type::text, "a string"},
    {"ready", "port", Type::port, "a port, 1 to 65535"},
    {"finish", "status", Type::text, "a string"},
};

constexpr int deepest = 32;

std::string excerpt(std::string_view line) {
  const std::string text(line.substr(0, 80));  // may cut a character: the writer of records replaces what is no UTF-8
  return line.size() > 80 ? text + "…" : text;
}

std::string seconds(double value) { return format_number(value); }

std::string signal_text(int number) {
  const char* const description = sigdescr_np(number);
  return "signal " + std::to_string(number) + (description ? std::string(" (") + description + ")" : "");
}

/// Why the events themselves are no success; empty when they are.
std::string fault_of(const std::vector<json>& events, const std::string& case_name) {
  if (events.empty()) return "it printed no event; expected start first";
  const json& first = events.front();
  if (first.at("event") != "start") return "its first event is " + first.at("event").dump() + "; expected start";
  if (first.at("protocol") != 1) return "it speaks protocol " + first.at("protocol").dump() + "; expected 1";
  if (first.at("case") != case_name) return "it ran " + first.at("case").dump() + "; expected \"" + case_name + "\"";
  if (events.back().at("event") != "finish")
    return "its last event is " + events.back().at("event").dump() + "; expected finish";
  return "";
}

}  // namespace

nlohmann::json read_event(std::string_view line) {
  json event;
  try {
    event = parse_json(line, deepest);
  } catch (const JsonError& error) {
    throw std::invalid_argument("a line that is not JSON: " + excerpt(line) + " (" + error.what() + ")");
  }
  if (const std::string fault = event_fault(event); !fault.empty())
    throw std::invalid_argument(fault + ": " + excerpt(line));
  return event;
}

std::string event_fault(const json& event) {
  if (!event.is_object() || !event.contains("event") || !event.at("event").is_string())
    return "a line that is not an event (an object with a string 'event')";
  const auto name = event.at("event").get<std::string>();
  for (const Field& field : fields) {
    if (name != field.event) continue;
    const auto found = event.find(field.name);
    if (found == event.end() && field.optional) continue;
    if (found == event.end()) return "event " + name + " without '" + field.name + "'";
    if (!is(*found, field.type)) return "event " + name + ": '" + field.name + "' is not " + field.expected;
  }
  if (name == "predictions" && event.at("predicted").size() != event.at("expected").size())
    return "event predictions: " + std::to_string(event.at("predicted").size()) + " predicted labels, but " +
           std::to_string(event.at("expected").size()) + " expected ones";
  return "";
}

CaseOutcome outcome_of(const std::vector<nlohmann::json>& events, const ProcessResult& ended,
                       const Interference& interference, const std::string& case_name) {
  if (!ended.started) return {"failed", std::string("it could not be started: ") + std::strerror(ended.exec_error)};
  if (!interference.bad_line.empty()) return {"failed", "it printed " + interference.bad_line};
  if (interference.too_much)
    return {"failed", "it printed more than " + std::to_string(output_limit >> 20) + " MB on standard output"};
  if (interference.too_long)
    return {"failed", "it ran past its limit of " + seconds(interference.limit_s) + " s and was ended"};
  if (ended.signal != 0) return {"failed", "it was ended by " + signal_text(ended.signal)};

  const std::string fault = fault_of(events, case_name);
  const std::string exited = "exit code " + std::to_string(ended.code);
  if (!fault.empty()) return {"failed", fault + " (" + exited + ")"};
  const json& finish = events.back();
  const auto status = finish.at("status").get<std::string>();
  const std::string reason =
      finish.contains("reason") && finish["reason"].is_string() ? finish["reason"].get<std::string>() : "";
  if (status == "failed") return {"failed", reason.empty() ? "it says failed, without a reason" : reason};
  if (status != "ok" && status != "skipped")
    return {"failed", "its finish says '" + status + "'; expected ok, skipped or failed"};
  if (ended.code != 0) return {"failed", "its finish says " + status + " but it ended with " + exited};
  return {status, reason};
}

}  // namespace assay::harness
