#include "harness/claims/reproduction_table.hpp"

#include <algorithm>
#include <map>
#include <ostream>
#include <set>
#include <sstream>

#include "harness/claims/verdict_lines.hpp"
#include "harness/claims/verdict_table.hpp"
#include "harness/text/columns.hpp"
#include "harness/text/format_number.hpp"

namespace assay::harness {

namespace {

using nlohmann::json;

constexpr const char* origin = "tensorflow";  // that the figures of source P came from

std::string ratio_text(const json& effect) {
  const auto number = [&](const char* key) {
    return effect.at(key).is_number() ? std::optional<double>(effect.at(key)) : std::nullopt;
  };
  return format_effect(number("estimate"), number("low"), number("high"), "ratio");
}

void print_wrapped(std::ostream& out, const std::string& indent, const std::string& text, std::size_t width) {
  for (const auto& line : wrapped(text, width - std::min(width / 2, indent.size()))) out << indent << line << '\n';
}

/// Origin, other peers, the first program: what stands nearest to the published figure comes first.
int rank(const std::string& program, const std::string& own) {
  if (program == own) return 2;
  return program.starts_with(origin) ? 0 : 1;
}

/// Why a program was skipped as a whole, such as a peer that is not installed: printed once and not in every row. The
/// first reason counts, since later cases name what the first one did not make.
std::map<std::string, std::string> absent_programs(const json& document) {
  std::set<std::string> ran;
  for (const json& process : document.at("processes"))
    if (process.at("status") != "skipped") ran.insert(process.at("program"));
  std::map<std::string, std::string> result;
  for (const json& entry : document.at("skipped"))
    if (!ran.contains(entry.at("program")))
      result.emplace(entry.at("program").get<std::string>(), entry.at("reason").get<std::string>());
  return result;
}

/// A program that lacks a side of the comparison, or has no such case, has nothing to say about a claim.
bool says_nothing(const json& verdict) {
  const std::string reason = verdict.at("reason");
  return verdict.at("advice") == "not testable here" &&
         (reason.find("does not offer") != std::string::npos || reason.find("reported no") != std::string::npos);
}

/// What the verdict table needs of the document: without programs that are absent and verdicts that say nothing.
json to_print(const json& document, const std::map<std::string, std::string>& absent) {
  const std::string own = document.at("programs").at(0).at("name");
  json result{{"state", document.at("state")}, {"programs", json::array()}, {"claims", document.at("claims")}};
  for (const json& program : document.at("programs"))
    if (!absent.contains(program.at("name"))) result["programs"].push_back(program);
  for (json& claim : result["claims"]) {
    std::vector<json> kept;
    for (const json& verdict : claim.at("verdicts"))
      if (!absent.contains(verdict.at("program")) && !says_nothing(verdict)) kept.push_back(verdict);
    std::stable_sort(kept.begin(), kept.end(), [&](const json& a, const json& b) {
      return rank(a.at("program"), own) < rank(b.at("program"), own);
    });
    claim["verdicts"] = kept;
  }
  return result;
}

void print_against(const json& document, const std::map<std::string, std::string>& absent, std::ostream& out,
                   bool colour, std::size_t width) {
  const json& rows = document.at("against");
  std::string last;
  std::size_t longest = 5;
  for (const json& row : rows) longest = std::max(longest, row.at("peer").get<std::string>().size());
  for (const json& row : rows) {
    if (absent.contains(row.at("peer"))) continue;
    const std::string own = row.at("program");
    if (last.empty())
      out << coloured("What " + own + " took over what each peer took, in the same rounds", Colour::bold, colour)
          << " (below 1, " << own << " took less)\n";
    const std::string title = row.at("configuration").get<std::string>() + "  " + row.at("metric").get<std::string>();
    const auto text = [&](const char* key) { return format_quantity(row.at(key), row.at("unit"), row.at("metric")); };
    if (title != last) out << "  " << title << (row.at("ours").is_number() ? "  " + text("ours") : "") << '\n';
    last = title;
    out << "    " << padded(row.at("peer"), longest + 2);
    if (row.at("estimate").is_null()) {
      out << "no ratio\n";
      print_wrapped(out, "        ", row.at("reason"), width);
      continue;
    }
    out << padded(text("theirs"), 10) << padded(ratio_text(row), 32);
    if (const json& less = row.at("without_call_overhead"); less.is_object() && less.at("estimate").is_number())
      out << ratio_text(less) << " without its overhead of " << text("call_overhead") << " a call";
    out << '\n';
  }
}

}  // namespace

void print_reproduction(const json& document, std::ostream& out, bool colour, int columns) {
  const auto width = static_cast<std::size_t>(std::clamp(columns, 48, 160));
  const auto absent = absent_programs(document);
  bool first = true;
  const auto part = [&](const auto& print) {  // one empty line between parts, whatever each ends with
    std::ostringstream printed;
    print(printed);
    std::string text = printed.str();
    while (text.ends_with("\n\n")) text.pop_back();
    if (text.empty()) return;
    out << (first ? "" : "\n") << text;
    first = false;
  };
  part([&](std::ostream& to) { print_verdicts(to_print(document, absent), to, colour, columns); });
  part([&](std::ostream& to) { print_against(document, absent, to, colour, width); });
  std::set<std::string> reasons;  // the columns of one peer have one
  for (const auto& [program, reason] : absent) reasons.insert(reason);
  part([&](std::ostream& to) {
    for (const auto& reason : reasons) print_wrapped(to, "", "Skipped: " + reason, width);
  });
}

}  // namespace assay::harness
