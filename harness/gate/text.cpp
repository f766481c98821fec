#include <algorithm>
#include <array>
#include <ostream>

#include "harness/gate/number_text.hpp"
#include "harness/gate/preset.hpp"
#include "harness/gate/render.hpp"
#include "harness/text/format_number.hpp"

namespace assay::harness {
namespace {

using nlohmann::json;

constexpr std::array<const char*, 9> verdict_order{"regressed", "improved", "changed", "same", "undecided",
                                                   "invalid",   "skipped",  "new",     "gone"};

std::string bare_percent(double ratio) {
  const std::string text = percent_text(ratio - 1, true);
  return text.substr(0, text.size() - 2);
}

const char* colour_of(const std::string& verdict) {
  if (verdict == "regressed") return "\033[31m";
  if (verdict == "improved" || verdict == "same") return "\033[32m";
  return "\033[33m";
}

std::string name_of(const json& row) {
  return row.at("configuration").get<std::string>() + "  " + row.at("metric").get<std::string>();
}

}  // namespace

bool dirty(const json& document) {
  const json& programs = document.at("programs");
  return !programs.empty() && programs.front().value("dirty", false);
}

std::string row_text(const json& row) {
  if (!row.at("estimate").is_null())
    return percent_text(row.at("estimate").get<double>() - 1, true) + " [" + bare_percent(row.at("low")) + ", " +
           bare_percent(row.at("high")) + "]";
  if (row.at("exact").get<bool>() && !row.at("baseline").is_null() && !row.at("candidate").is_null()) {
    const std::string from = number_text(row.at("baseline")), to = number_text(row.at("candidate"));
    return (from == to ? to : from + " -> " + to) +
           (row.at("unit") == "" ? "" : " " + row.at("unit").get<std::string>());
  }
  return "-";
}

std::string row_note(const json& row) {
  std::string note =
      row.at("exact").get<bool>() && (row.at("verdict") == "regressed" || row.at("verdict") == "improved")
          ? ""  // the change stands in the row
          : row.at("reason").get<std::string>();
  const auto add = [&note](const std::string& more) { note += (note.empty() ? "" : "; ") + more; };
  if (const std::string declared = row.at("note"); !declared.empty()) add(declared);
  if (row.at("minimum_detectable_effect").is_number())
    add("minimum detectable effect " + percent_text(row.at("minimum_detectable_effect")));
  if (row.at("rounds_to_settle").is_number())
    add("settled by a new run of " + row.at("rounds_to_settle").dump() + " rounds (--rounds " +
        row.at("rounds_to_settle").dump() + ")");
  return note;
}

std::string counts_text(const json& gate) {
  std::string text;
  for (const char* verdict : verdict_order)
    if (const int count = gate.at("counts").value(verdict, 0); count > 0)
      text += (text.empty() ? "" : ", ") + std::to_string(count) + " " + verdict;
  return text.empty() ? "no benchmark" : text;
}

std::string bound_text(const json& gate) {
  const json bound = gate.value("false_alarm_bound", json(nullptr));
  if (bound.is_null() || gate.at("timed") == 0) return "";
  return "Where nothing changed, at most " + format_percent(bound.at("regressed")) +
         " of gates like this one say regressed, and at most " + format_percent(bound.at("regressed_or_improved")) +
         " say regressed or improved";
}

std::string outcome_text(const json& gate) {
  static const std::map<int, std::string> words{{0, "passed"},
                                                {1, "failed: a regression"},
                                                {3, "failed: a case failed or gave a wrong answer"},
                                                {4, "no verdict: nothing was measured"},
                                                {5, "no verdict: this machine cannot give a valid answer now"}};
  return words.at(gate.at("exit").at("code").get<int>());
}

void print_gate(const json& document, std::ostream& out, bool colour) {
  const json& gate = document.at("gate");
  std::size_t wide = 0;
  for (const json& row : gate.at("benchmarks")) wide = std::max(wide, name_of(row).size());
  for (const json& row : gate.at("benchmarks")) {
    const std::string name = name_of(row), verdict = row.at("verdict");
    const int processes = 4 * (row.at("rounds").at("stage_1").get<int>() + row.at("rounds").at("stage_2").get<int>());
    out << name << std::string(wide + 2 - name.size(), ' ') << (colour ? colour_of(verdict) : "") << verdict
        << (colour ? "\033[0m" : "") << std::string(11 - std::min<std::size_t>(10, verdict.size()), ' ')
        << row_text(row);
    if (!row.at("exact").get<bool>() && processes > 0)
      out << "  " << processes << " processes, " << percent_text(row.at("preset").at("floor")) << " floor ("
          << row.at("preset").at("from").get<std::string>() << ")";
    out << "\n";
    if (const std::string note = row_note(row); !note.empty()) out << "    " << note << "\n";
  }
  out << counts_text(gate) << "; " << gate.at("processes") << " processes against "
      << gate.at("against").get<std::string>();
  if (!gate.at("commit").get<std::string>().empty())
    out << " (" << gate.at("commit").get<std::string>().substr(0, 12) << ")";
  out << (dirty(document) ? ", with changes that are in no commit" : "") << "\n";
  for (const json& one : gate.value("repeated", json::array()))
    out << "broke once, its round was repeated: " << one.get<std::string>() << "\n";
  if (const std::string bound = bound_text(gate); !bound.empty()) out << bound << "\n";
  if (gate.contains("note")) out << gate.at("note").get<std::string>() << "\n";
  out << outcome_text(gate) << "\n";
  for (const json& cause : gate.at("exit").at("causes")) out << "  " << cause.get<std::string>() << "\n";
}

}  // namespace assay::harness
