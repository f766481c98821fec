#include <algorithm>
#include <set>

#include "harness/claims/verdict_table.hpp"
#include "harness/text/format_number.hpp"

namespace assay::harness {

namespace {

using nlohmann::json;

std::optional<double> number(const json& value) {
  return value.is_number() ? std::optional<double>(value.get<double>()) : std::nullopt;
}

std::string kind_of(const json& claim) {
  for (const auto& [name, bound] : claim.at("holds").items())
    if (name != "absolute") return name.substr(0, name.find('_'));
  return "value";
}

}  // namespace

std::vector<VerdictRow> verdict_rows(const json& document) {
  std::vector<VerdictRow> rows;
  for (const json& claim : document.at("claims"))
    for (const json& verdict : claim.at("verdicts"))
      rows.push_back({claim.at("id"), claim.at("advice"), claim.at("published").at("text"), verdict.at("program"),
                      verdict.at("format"), claim.at("section"), kind_of(claim), number(verdict.at("estimate")),
                      number(verdict.at("low")), number(verdict.at("high")), verdict.at("unit"), verdict.at("advice"),
                      verdict.at("figure"), verdict.at("reason")});
  return rows;
}

std::string measured_text(const VerdictRow& row) {
  if (row.kind == "value") return format_interval(row.estimate, row.low, row.high, row.unit);
  return format_effect(row.estimate, row.low, row.high, row.kind, row.unit);
}

std::vector<std::string> headlines(const json& document) {
  std::vector<std::string> lines;
  for (const json& reason : document.at("state").at("reasons"))
    lines.push_back("Nothing is judged: " + reason.get<std::string>() + ".");
  if (document.at("state").contains("concerns"))
    for (const json& concern : document.at("state").at("concerns"))
      lines.push_back("The machine was not quiet: " + concern.get<std::string>() + ".");
  std::string names;
  for (const json& program : document.at("programs"))
    names += (names.empty() ? "" : ", ") + program.at("name").get<std::string>();
  const auto rows = verdict_rows(document);
  const bool judged =
      std::any_of(rows.begin(), rows.end(), [](const VerdictRow& row) { return row.advice != "not tested yet"; });
  if (names == "assay" && judged) {
    lines.push_back(
        "No peer ran: only assay's own engine ran, so these verdicts are about it and not about the framework that the "
        "figures came from.");
    lines.push_back("This line installs that framework: ./assay peers install tensorflow (then ./assay reproduce)");
  } else if (names != "assay")
    lines.push_back("Programs that ran: " + names + ".");
  return lines;
}

}  // namespace assay::harness
