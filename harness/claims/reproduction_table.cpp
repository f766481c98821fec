#include "harness/claims/reproduction_table.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <map>
#include <ostream>
#include <set>

#include "harness/claims/text_columns.hpp"
#include "harness/claims/verdict_table.hpp"

namespace assay::harness {

namespace {

using nlohmann::json;

constexpr const char* origin = "tensorflow";  // that the figures of source P came from

std::string strong(const std::string& text, bool colour) { return colour ? "\x1b[1m" + text + "\x1b[0m" : text; }

std::string ratio_text(const json& effect) {
  std::array<char, 64> text{};
  const auto number = [&](const char* key) { return effect.at(key).get<double>(); };
  if (effect.at("low").is_number())
    std::snprintf(text.data(), text.size(), "%.3gx [%.3g, %.3g]", number("estimate"), number("low"), number("high"));
  else
    std::snprintf(text.data(), text.size(), "%.3gx", number("estimate"));
  return text.data();
}

void print_wrapped(std::ostream& out, const std::string& indent, const std::string& text, std::size_t width) {
  for (const auto& line : wrapped(text, width - std::min(width / 2, indent.size()))) out << indent << line << '\n';
}

/// Origin, other peers, the first program: what stands nearest to the published figure comes first.
int rank(const std::string& program, const std::string& own) {
  if (program == own) return 2;
  return program.starts_with(origin) ? 0 : 1;
}

/// What a program was skipped for as a whole, such as a peer that is not installed: said once and not in every row.
std::map<std::string, std::string> absent_programs(const json& document) {
  std::set<std::string> ran;
  for (const json& process : document.at("processes"))
    if (process.at("status") != "skipped") ran.insert(process.at("program"));
  std::map<std::string, std::string> result;
  for (const json& entry : document.at("skipped"))
    if (!ran.contains(entry.at("program"))) result[entry.at("program")] = entry.at("reason");
  return result;
}

/// A program that lacks a side of the comparison, or has no such case, has nothing to say about a claim.
bool says_nothing(const VerdictRow& row) {
  return row.advice == "not testable here" && (row.reason.find("does not offer") != std::string::npos ||
                                               row.reason.find("reported no") != std::string::npos);
}

void print_claims(const json& document, const std::map<std::string, std::string>& absent, const std::string& own,
                  std::ostream& out, bool colour, std::size_t width) {
  std::map<std::string, std::vector<VerdictRow>> by_claim;
  std::vector<std::string> order;
  std::size_t longest = 7;
  for (VerdictRow& row : verdict_rows(document)) {
    if (row.advice == "not tested yet" || absent.contains(row.program) || says_nothing(row)) continue;
    if (!by_claim.contains(row.id)) order.push_back(row.id);
    longest = std::max(longest, row.program.size());
    by_claim[row.id].push_back(std::move(row));
  }
  for (const auto& id : order) {
    auto& rows = by_claim[id];
    std::stable_sort(rows.begin(), rows.end(),
                     [&](const auto& a, const auto& b) { return rank(a.program, own) < rank(b.program, own); });
    out << strong(id, colour) << "  " << rows.front().advice_text << '\n';
    print_wrapped(out, "  ", "published: " + rows.front().published, width);
    for (const VerdictRow& row : rows) {
      out << "  " << padded(row.program, longest + 2) << padded(measured_text(row), 28) << padded(row.advice, 19)
          << row.figure << '\n';
      const bool open = row.advice == "undecided" || row.advice == "not testable here";
      if (open && !row.reason.empty()) print_wrapped(out, "      ", row.reason, width);
    }
    out << '\n';
  }
}

void print_against(const json& document, const std::map<std::string, std::string>& absent, std::ostream& out,
                   bool colour, std::size_t width) {
  const json rows = document.value("against", json::array());
  std::string last;
  std::size_t longest = 5;
  for (const json& row : rows) longest = std::max(longest, row.at("peer").get<std::string>().size());
  for (const json& row : rows) {
    if (absent.contains(row.at("peer"))) continue;
    const std::string own = row.at("program");
    if (last.empty())
      out << strong("Times of " + own + " over those of each peer, in the same rounds", colour) << " (below 1, " << own
          << " is faster)\n";
    const std::string title = row.at("configuration").get<std::string>() + "  " + row.at("metric").get<std::string>();
    if (title != last)
      out << "  " << title << (row.at("ours").is_number() ? "  " + time_text(row.at("ours")) : "") << '\n';
    last = title;
    out << "    " << padded(row.at("peer"), longest + 2);
    if (row.at("estimate").is_null()) {
      out << "no ratio\n";
      print_wrapped(out, "        ", row.at("reason"), width);
      continue;
    }
    out << padded(time_text(row.at("theirs")), 10) << padded(ratio_text(row), 24);
    if (const json& less = row.at("without_floor"); less.is_object() && less.at("estimate").is_number())
      out << ratio_text(less) << " with its floor of " << time_text(row.at("floor")) << " a call taken off";
    out << '\n';
  }
  if (!last.empty()) out << '\n';
}

}  // namespace

std::string time_text(double nanoseconds) {
  static constexpr std::array<std::pair<double, const char*>, 3> units{{{1e9, "s"}, {1e6, "ms"}, {1e3, "us"}}};
  std::array<char, 32> text{};
  for (const auto& [size, name] : units)
    if (nanoseconds >= size) {
      std::snprintf(text.data(), text.size(), "%.3g %s", nanoseconds / size, name);
      return text.data();
    }
  std::snprintf(text.data(), text.size(), "%.3g ns", nanoseconds);
  return text.data();
}

void print_reproduction(const json& document, std::ostream& out, bool colour, int columns) {
  const auto width = static_cast<std::size_t>(std::clamp(columns, 48, 160));
  for (const std::string& text : headlines(document)) print_wrapped(out, "", text, width);
  out << '\n';
  const auto absent = absent_programs(document);
  print_claims(document, absent, document.at("programs").at(0).at("name"), out, colour, width);
  print_against(document, absent, out, colour, width);
  std::set<std::string> reasons;  // the columns of one peer have one
  for (const auto& [program, reason] : absent) reasons.insert(reason);
  for (const auto& reason : reasons) print_wrapped(out, "", "Skipped: " + reason, width);
}

}  // namespace assay::harness
