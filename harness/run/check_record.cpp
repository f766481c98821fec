#include "harness/run/check_record.hpp"

#include <algorithm>
#include <limits>

#include "harness/json/json_place.hpp"
#include "harness/run/events.hpp"
#include "harness/text/spelling_suggestion.hpp"

namespace assay::harness {
namespace {

using nlohmann::json;

void texts(const JsonPlace& p, std::initializer_list<const char*> names) {
  for (const char* name : names) p.at(name).text();
}
void numbers(const JsonPlace& p, std::initializer_list<const char*> names) {
  for (const char* name : names) p.at(name).number();
}
void text(const JsonPlace& p) { p.text(); }

void check_one_of(const JsonPlace& p, const std::vector<std::string>& names) {
  if (std::find(names.begin(), names.end(), p.text()) != names.end()) return;
  std::string all;
  for (const auto& name : names) all += (all.empty() ? "" : ", ") + name;
  p.fail("one of " + all, "'" + p.text() + "'");
}

/// The machine's state; null if it was not taken.
void check_state(const JsonPlace& p) {
  if (p.null()) return;
  p.object();
  if (p.has("busy_processes"))
    p.at("busy_processes").each([](const JsonPlace& one) {
      one.at("name").text();
      one.at("pid").whole(0, std::numeric_limits<int>::max());
      one.at("cores").number();
    });
  if (p.has("doctor"))
    p.at("doctor").each([](const JsonPlace& one) { texts(one, {"name", "value", "verdict", "effect"}); });
}

void check_options(const JsonPlace& p, const Catalogue& catalogue) {
  p.at("scenarios").each([&](const JsonPlace& name) { check_one_of(name, names_of(catalogue.scenarios)); });
  check_one_of(p.at("profile"), names_of(catalogue.profiles));
  p.at("off").each(text);
  p.at("seed").natural();
  p.at("threads").whole(1, std::numeric_limits<int>::max());
  p.at("data").text();
  if (p.has("data_sha256")) p.at("data_sha256").text();
  if (p.has("purpose")) p.at("purpose").text();
}

ProgramCatalogue program_of(const JsonPlace& p, const json& first_catalogue) {
  texts(p, {"name", "path", "sha256", "version", "commit"});
  p.at("dirty").flag();
  p.at("build").object();
  const std::string path = p.at("path").text();
  ProgramCatalogue offer{path, read_catalogue(p.has("catalogue") ? p.at("catalogue").value() : first_catalogue, path)};
  if (offer.catalogue.name() != p.at("name").text())
    p.at("name").fail("'" + offer.catalogue.name() + "', the name in its catalogue", "'" + p.at("name").text() + "'");
  return offer;
}

/// A configuration that the run has, in the one way to write it.
void check_member(const JsonPlace& p, const std::vector<ProgramCatalogue>& programs,
                  const ProgramConfiguration& member) {
  for (const auto& offer : programs)
    if (offer.catalogue.name() == member.program) {
      if (canonical_id(offer.catalogue, member.configuration) == member.configuration) return;
      p.fail("'" + canonical_id(offer.catalogue, member.configuration) + "'", "'" + member.configuration + "'");
    }
  p.fail("a configuration of one of the run's programs", "'" + member.label() + "'");
}

ScheduleStep step_of(const JsonPlace& p, const std::vector<ProgramCatalogue>& programs) {
  p.at("group").text();
  check_one_of(p.at("kind"), {"timed", "trained", "exact"});
  p.at("round").whole(1, std::numeric_limits<int>::max());
  p.at("seed").natural();
  p.at("configurations").each(text);
  ScheduleStep step = read_schedule_step(p.value());
  for (const auto& member : step.members) check_member(p.at("configurations"), programs, member);
  return step;
}

void check_left(const JsonPlace& p, const std::vector<ProgramCatalogue>& programs) {
  check_member(p, programs, {p.at("program").text(), p.at("configuration").text()});
  check_one_of(p.at("status"), {"failed", "skipped"});
  p.at("reason").text();
}

/// The step that a record names, whose group and round it must repeat.
void check_step(const JsonPlace& p, const std::vector<ScheduleStep>& steps) {
  const auto index = static_cast<std::size_t>(p.at("step").whole(0, static_cast<std::int64_t>(steps.size()) - 1));
  check_one_of(p.at("group"), {steps[index].group});
  p.at("round").whole(steps[index].round, steps[index].round);
}

}  // namespace

void RecordCheck::operator()(json& record) {
  const std::string kind = JsonPlace(record, "").at("record").text();
  if ((kind == "run") != programs_.empty())
    JsonPlace(record, "")
        .at("record")
        .fail(programs_.empty() ? "run, in the first line" : "run in the first line only", "'" + kind + "'");
  if (kind == "run") check_run(record);
  if (kind == "process") check_process(record);
  if (kind == "round") check_round(record);
  if (kind == "resume") check_state(JsonPlace(record, "").at("state_before"));
  if (kind == "end") check_state(JsonPlace(record, "").at("state_after"));
}

void RecordCheck::check_run(json& record) {
  const JsonPlace p(record, "");
  p.at("schema").whole(1, 1);
  texts(p, {"id", "created"});
  p.at("profile").at("name").text();
  p.at("machine").at("key").text();
  p.at("machine").at("identity").object();
  check_state(p.at("state_before"));
  const json& catalogue = p.at("catalogue").object();
  auto programs = p.at("programs").list([&](const JsonPlace& one) { return program_of(one, catalogue); });
  if (programs.empty()) p.at("programs").fail("at least one", "none");
  check_options(p.at("options"), programs.front().catalogue);
  steps_ = p.at("schedule").list([&](const JsonPlace& one) { return step_of(one, programs); });
  record["catalogue"] = to_json(read_catalogue(catalogue, programs.front().path.string()));
  for (std::size_t i = 0; i < programs.size(); ++i)
    if (json& entry = record["programs"][i]; entry.contains("catalogue"))
      entry["catalogue"] = to_json(programs[i].catalogue);
  programs_ = std::move(programs);
}

void RecordCheck::check_process(const json& record) const {
  const JsonPlace p(record, "");
  if (!p.at("step").null()) {  // a service stands in no step
    check_step(p, steps_);
    p.at("order").whole();
  }
  texts(p, {"group", "reason", "out", "stderr_tail"});
  check_member(p, programs_, {p.at("program").text(), p.at("configuration").text()});
  check_one_of(p.at("status"), {"ok", "skipped", "failed"});
  p.at("attempt").whole(1, 2);
  p.at("seed").natural();
  numbers(p, {"wall_s", "spawn_ms", "parse_ms", "steal_percent"});
  p.at("events").each([](const JsonPlace& event) {
    if (const std::string fault = event_fault(event.value()); !fault.empty()) event.fail("an event", fault);
  });
}

void RecordCheck::check_round(const json& record) const {
  const JsonPlace p(record, "");
  check_step(p, steps_);
  p.at("attempt").whole(1, 2);
  p.at("complete").flag();
  p.at("left").each([&](const JsonPlace& entry) { check_left(entry, programs_); });
}

}  // namespace assay::harness
