#include "harness/gate/section.hpp"

#include <algorithm>
#include <cstdio>

#include "harness/gate/judge.hpp"
#include "harness/gate/null_control.hpp"
#include "harness/gate/preset.hpp"
#include "harness/text/format_number.hpp"

namespace assay::harness {
namespace {

using nlohmann::json;

constexpr double max_steal_percent = 2.0;  // as in a run

std::string name_of(const json& row) {
  return row.at("configuration").get<std::string>() + " " + row.at("metric").get<std::string>();
}

std::string seconds_text(double seconds) { return format_number(seconds) + " s"; }

/// Why no time may be judged; empty if times may be judged.
std::string unfit_reason(const NullControl& control, double steal) {
  char text[160];
  if (steal > max_steal_percent) {
    std::snprintf(text, sizeof text, "others took %.1f %% of the machine's processors (median steal, limit %.0f %%)",
                  steal, max_steal_percent);
    return text;
  }
  if (!control.alarm) return "";
  std::snprintf(text, sizeof text,
                "null control: the baseline's copy was slower in %d and faster in %d rounds (p = %.2g)", control.slower,
                control.faster, control.p);
  return text;
}

json exit_of(const json& rows, const SequentialGate& gate, const GateTerms& terms, const std::string& unfit) {
  std::map<int, json> causes;  // by exit code
  bool measured = false;
  for (const auto& state : gate.states())
    if (state.candidate_fault.failed())
      causes[3].push_back(state.benchmark.configuration + " " + state.benchmark.metric + ": " +
                          state.candidate_fault.text);
  for (const std::string& wrong : gate.wrong_answers_elsewhere()) causes[3].push_back(wrong);
  for (const json& row : rows) {
    const std::string verdict = row.at("verdict"), reason = row.at("reason");
    measured = measured || (!row.at("candidate").is_null() && !row.at("baseline").is_null());
    if (terms.self && row.at("estimate").is_number() && (verdict == "regressed" || verdict == "improved")) {
      const auto next = coarser(row.at("preset").at("floor"));
      causes[5].push_back(
          name_of(row) + " " + verdict + " though both are the same bytes: not fit at this floor; " +
          (next ? "take the next preset (--floor " + json(next->floor).dump() + ")" : "no preset is coarse enough"));
    } else if (verdict == "regressed")
      causes[1].push_back(name_of(row) + " regressed" + (reason.empty() ? "" : ": " + reason));
    if (verdict == "undecided" && terms.fail_on_undecided)
      causes[1].push_back(name_of(row) + " is undecided, and --fail-on undecided was asked");
    if (verdict == "invalid" && unfit.empty() && reason.starts_with("null control"))
      causes[5].push_back(name_of(row) + ": " + reason);
  }
  if (!unfit.empty()) causes[5].push_back(unfit);
  if (gate.timed() > 0 && gate.rounds() == 0 && causes.empty())
    causes[4].push_back("the budget of " + seconds_text(terms.budget_s) +
                        " has no room for one round; give more with --budget");
  else if (!measured)
    causes[4].push_back("nothing was measured on both sides");
  json all = json::array();
  int code = 0;
  for (const int one : {3, 1, 4, 5}) {  // in the order of docs/exit_codes.md
    if (!causes.contains(one)) continue;
    if (code == 0) code = one;
    for (const auto& cause : causes[one]) all.push_back(cause);
  }
  return {{"code", code}, {"causes", all}};
}

}  // namespace

json gate_section(const SequentialGate& gate, const GateSelection& selection, const GateTerms& terms) {
  const NullControl control = control_of_gate(gate.null_differences_of_stage_one());
  const std::string unfit = unfit_reason(control, gate.median_steal());
  json rows = json::array();
  for (const auto& state : gate.states()) rows.push_back(judge_benchmark(state, gate, unfit));
  for (const auto& one : selection.unmeasured) rows.push_back(unmeasured_row(one.benchmark, one.verdict, one.reason));

  json counts = json::object();
  for (const json& row : rows)
    counts[row.at("verdict").get<std::string>()] = counts.value(row.at("verdict").get<std::string>(), 0) + 1;
  json looks = json::array();
  for (const Look& look : gate.looks()) looks.push_back({{"rounds", look.rounds}, {"crossing", look.crossing}});
  const FalseAlarmBound bound = false_alarm_bound(gate.timed(), gate.looks(), gate.counts());
  return {
      {"against", terms.against},
      {"commit", terms.commit},
      {"same_bytes", terms.same_bytes},
      {"order_seed", terms.order_seed},
      {"budget_s", terms.budget_s},
      {"fail_on_undecided", terms.fail_on_undecided},
      {"benchmarks", rows},
      {"counts", counts},
      {"timed", gate.timed()},
      {"looks", looks},
      {"confirming", {{"at_8", gate.counts().at_8}, {"at_16", gate.counts().at_16}}},
      {"false_alarm_bound", {{"regressed", bound.regressed}, {"regressed_or_improved", bound.regressed_or_improved}}},
      {"null_control",
       {{"rounds", control.rounds},
        {"slower", control.slower},
        {"faster", control.faster},
        {"p", control.p},
        {"alarm", control.alarm}}},
      {"median_steal_percent", gate.median_steal()},
      {"processes", gate.processes()},
      {"exit", exit_of(rows, gate, terms, unfit)}};
}

}  // namespace assay::harness
