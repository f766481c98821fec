#include "tests/harness/results/toy_records.hpp"

#include <stdexcept>

namespace assay::tests {

using nlohmann::json;

namespace {

json metric(const std::string& name, const std::string& unit, const std::string& better, bool exact = false) {
  return {{"name", name}, {"unit", unit}, {"better", better}, {"exact", exact}};
}

json toy_case(const std::string& name, const std::string& kind, json metrics, json parameters = json::array()) {
  return {{"name", name}, {"kind", kind}, {"metrics", std::move(metrics)}, {"parameters", std::move(parameters)}};
}

json comparison(const std::string& id, const std::string& name, const std::string& form, double margin,
                const std::string& baseline, const std::string& candidate) {
  return {{"id", id},         {"metric", name},       {"form", form},
          {"margin", margin}, {"baseline", baseline}, {"candidate", candidate}};
}

json toy_catalogue() {
  const json mode{{"name", "mode"},
                  {"values", {"traced", "eager"}},
                  {"default", "traced"},
                  {"stands_for", {{"eager", {{"off", {"engine.trace"}}, {"environment", json::object()}}}}}};
  const json accuracy = json::array({metric("accuracy", "", "higher")});
  json scenario{{"name", "toy"}, {"question", "What does a toy cost?"}};
  scenario["cases"] = {
      toy_case("toy.step", "timed", json::array({metric("step_time", "ns", "lower")}), json::array({mode})),
      toy_case("toy.fit", "trained", accuracy), toy_case("toy.loop", "trained", accuracy),
      toy_case("toy.count", "exact",
               json::array({metric("error", "", "lower", true), metric("break_even_calls", "calls", "lower")}))};
  scenario["groups"] = {{{"name", "toy.step"}, {"configurations", {"toy.step", "toy.step{mode=eager}"}}},
                        {{"name", "toy.training"}, {"configurations", {"toy.fit", "toy.loop"}}}};
  scenario["comparisons"] = {
      comparison("toy.eager_step", "step_time", "ratio", 0.05, "toy.step", "toy.step{mode=eager}"),
      comparison("toy.loop_equivalence", "accuracy", "difference", 0.005, "toy.fit", "toy.loop")};
  const json other{{"name", "other"},
                   {"question", "Not selected?"},
                   {"cases", json::array()},
                   {"groups", json::array()},
                   {"comparisons", {comparison("other.thing", "time", "ratio", 0.05, "other.a", "other.b")}}};
  const json control{
      {"name", "engine.trace"}, {"summary", "record once, replay"}, {"on", true}, {"acts", true}, {"reason", ""}};
  return {{"protocol", 1}, {"controls", json::array({control})}, {"scenarios", {scenario, other}}};
}

json step(const std::string& group, const std::string& kind, int round, int seed, json configurations) {
  return {{"group", group},
          {"kind", kind},
          {"round", round},
          {"seed", seed},
          {"configurations", std::move(configurations)}};
}

json toy_schedule() {
  json schedule = json::array({step("toy.count", "exact", 1, 0, {"assay:toy.count"})});
  for (int seed = 0; seed < 6; ++seed)
    schedule.push_back(step("toy.training", "trained", seed + 1, seed, {"assay:toy.fit", "assay:toy.loop"}));
  for (int round = 1; round <= 6; ++round)
    schedule.push_back(step("toy.step", "timed", round, 0, {"assay:toy.step", "assay:toy.step{mode=eager}"}));
  return schedule;
}

}  // namespace

ToyRecords::ToyRecords() {
  const json program{{"name", "assay"},        {"path", "/bin/assay"}, {"sha256", std::string(64, 'a')},
                     {"version", "0.1.0"},     {"commit", "c0ffee"},   {"dirty", false},
                     {"build", json::object()}};
  add({{"record", "run"},
       {"schema", 1},
       {"id", "toy-run"},
       {"created", "2026-01-02T03:04:05Z"},
       {"options",
        {{"scenarios", {"toy"}},
         {"profile", "quick"},
         {"off", json::array()},
         {"seed", 0},
         {"threads", 2},
         {"data", ""}}},
       {"profile", {{"name", "quick"}, {"rounds", 6}, {"repetitions", 3}, {"seeds", 6}, {"lengths", json::object()}}},
       {"programs", json::array({program})},
       {"machine", {{"key", "0123456789abcdef"}, {"identity", {{"cpu", "invented"}}}}},
       {"state_before", json::object()},
       {"catalogue", toy_catalogue()},
       {"schedule", toy_schedule()}});
}

json ToyRecords::process(int step_index, const std::string& configuration, json events, int attempt) const {
  const json& at = records.front().at("schedule").at(static_cast<std::size_t>(step_index));
  events.push_back({{"event", "finish"}, {"status", "ok"}, {"reason", ""}, {"peak_bytes", 1000000}});
  return {{"record", "process"},
          {"step", step_index},
          {"group", at.at("group")},
          {"round", at.at("round")},
          {"order", 0},
          {"attempt", attempt},
          {"configuration", configuration},
          {"program", "assay"},
          {"seed", at.at("seed")},
          {"status", "ok"},
          {"reason", ""},
          {"exit", {{"code", 0}, {"signal", 0}}},
          {"wall_s", 0.1},
          {"spawn_ms", 2.0},
          {"parse_ms", 0.1},
          {"steal_percent", 0.0},
          {"context_switches", {{"voluntary", 1}, {"involuntary", 0}}},
          {"cpus", {0, 1}},
          {"stderr_tail", ""},
          {"left_behind", 0},
          {"out", "artifacts"},
          {"events", std::move(events)}};
}

void ToyRecords::end_round(int step_index, int attempt, bool complete, json left) {
  const json& at = records.front().at("schedule").at(static_cast<std::size_t>(step_index));
  add({{"record", "round"},
       {"step", step_index},
       {"group", at.at("group")},
       {"round", at.at("round")},
       {"attempt", attempt},
       {"complete", complete},
       {"left", std::move(left)}});
}

void ToyRecords::timed_round(int round, double traced, double eager, int attempt) {
  const int at = first_round_step + round - 1;
  add(process(at, "toy.step{mode=eager}", json::array({samples("step_time", {eager, eager * 3, eager * 0.9})}),
              attempt));
  add(process(at, "toy.step", json::array({samples("step_time", {traced * 0.9, traced, traced * 3})}), attempt));
}

void ToyRecords::timed_rounds(const std::vector<double>& ratios) {
  for (std::size_t i = 0; i < ratios.size(); ++i) {
    const int round = static_cast<int>(i) + 1;
    timed_round(round, 100, 100 * ratios[i]);
    end_round(first_round_step + round - 1);
  }
}

void ToyRecords::end() { add({{"record", "end"}, {"state_after", {{"load", 1}}}}); }

json samples(const std::string& name, std::vector<double> values) {
  return {{"event", "samples"},          {"metric", name}, {"unit", "ns"}, {"better", "lower"},
          {"values", std::move(values)}, {"warmup", 1}};
}

json value(const std::string& name, const std::string& unit, const std::string& better, json number) {
  return {{"event", "value"}, {"metric", name}, {"unit", unit}, {"better", better}, {"value", std::move(number)}};
}

json failed_check(double measured) {
  return {{"event", "check"}, {"name", "loss is right"}, {"passed", false}, {"measured", measured}, {"limit", 1e-5}};
}

const json& row(const json& rows, const std::string& key, const std::string& name) {
  for (const json& one : rows)
    if (one.at(key) == name) return one;
  throw std::runtime_error("no row with " + key + " = " + name);
}

}  // namespace assay::tests
