#include "harness/gate/render.hpp"

namespace assay::harness {
namespace {

using nlohmann::json;

/// Escapes what a table cell must not contain: bars, line ends and HTML tags.
std::string cell(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (c == '|')
      result += "\\|";
    else if (c == '<')
      result += "&lt;";
    else if (c == '\n' || c == '\r')
      result += ' ';
    else
      result += c;
  }
  return result;
}

}  // namespace

std::string gate_markdown(const json& document) {
  const json& gate = document.at("gate");
  std::string text = "### Performance gate: " + cell(outcome_text(gate)) + "\n\n" + counts_text(gate) + ", against `" +
                     cell(gate.at("against").get<std::string>()) + "`, " + gate.at("processes").dump() +
                     " processes on `" +
                     cell(document.at("machine").at("identity").value("cpu", json("an unknown CPU")).dump()) + "`" +
                     (dirty(document) ? ", with changes that are in no commit" : "") + ".\n\n";
  if (gate.contains("note")) text += cell(gate.at("note").get<std::string>()) + "\n\n";
  if (gate.at("benchmarks").size() > 0) text += "| benchmark | verdict | change | note |\n|---|---|---|---|\n";
  for (const json& row : gate.at("benchmarks")) {
    const std::string verdict = row.at("verdict");
    const bool loud = verdict != "same" && verdict != "new" && verdict != "gone";
    text += "| `" + cell(row.at("configuration").get<std::string>()) + "` " +
            cell(row.at("metric").get<std::string>()) + " | " + (loud ? "**" + verdict + "**" : verdict) + " | " +
            cell(row_text(row)) + " | " + cell(row_note(row)) + " |\n";
  }
  if (const std::string bound = bound_text(gate); !bound.empty()) text += "\n" + bound + ".\n";
  for (const json& one : gate.value("repeated", json::array()))
    text += "\nBroke once, its round was repeated: " + cell(one.get<std::string>()) + "\n";
  if (!gate.at("exit").at("causes").empty()) text += "\n";
  for (const json& cause : gate.at("exit").at("causes")) text += "- " + cell(cause.get<std::string>()) + "\n";
  return text;
}

}  // namespace assay::harness
