#include "harness/commands/plan_text.hpp"

#include <algorithm>
#include <ostream>
#include <string>
#include <vector>

#include "harness/text/columns.hpp"
#include "harness/text/format_number.hpp"

namespace assay::harness {
namespace {

using nlohmann::json;
using Lines = std::vector<std::vector<std::string>>;

bool is_row(const json& row, const std::string& types) {
  if (!row.is_array() || row.size() != types.size()) return false;
  for (std::size_t i = 0; i < types.size(); ++i) {
    const bool right = types[i] == 's' ? row[i].is_string() : types[i] == 'n' ? row[i].is_number() : row[i].is_array();
    if (!right) return false;
  }
  return true;
}

bool is_table(const json& choice, const char* name, const std::string& types) {
  if (!choice.contains(name) || !choice.at(name).is_array()) return false;
  return std::all_of(choice.at(name).begin(), choice.at(name).end(),
                     [&](const json& row) { return is_row(row, types); });
}

std::string flop_text(double value) { return format_quantity(value, "FLOP"); }
std::string byte_text(double value) { return format_quantity(value, "byte"); }

/// Columns as wide as they must be, up to where a cell goes on below; `right`: those that hold numbers.
void print_table(const Lines& lines, const std::vector<std::size_t>& right, std::ostream& out) {
  constexpr std::size_t most = 46;  // of a fused step's kernels, say
  std::vector<std::size_t> widths(lines.front().size());
  for (const auto& line : lines)
    for (std::size_t i = 0; i < line.size(); ++i) widths[i] = std::min(most, std::max(widths[i], shown_width(line[i])));
  for (const auto& line : lines) {
    std::vector<std::vector<std::string>> cells;
    std::size_t height = 0;
    for (std::size_t i = 0; i < line.size(); ++i) {
      cells.push_back(wrapped(line[i], widths[i]));
      height = std::max(height, cells.back().size());
    }
    for (std::size_t row = 0; row < height; ++row) {
      std::string text;
      for (std::size_t i = 0; i < cells.size(); ++i) {
        const std::string cell = row < cells[i].size() ? cells[i][row] : "";
        const std::string space(widths[i] - shown_width(cell), ' ');
        const bool is_right = std::find(right.begin(), right.end(), i) != right.end();
        text += "  " + (is_right ? space + cell : cell + space);
      }
      text.erase(text.find_last_not_of(' ') + 1);
      out << text << '\n';
    }
  }
}

std::string places(const json& list) {
  std::string text;
  for (const json& place : list)
    if (place.is_number_integer()) text += (text.empty() ? "" : ", ") + std::to_string(place.get<std::int64_t>() + 1);
  return text;
}

}  // namespace

bool is_plan(const json& choice) {
  return choice.is_object() && is_table(choice, "passes", "snn") && is_table(choice, "steps", "sssnnna");
}

void print_plan(const json& plan, std::ostream& out) {
  out << "  " << plan.value("recorded_nodes", 0) << " nodes recorded, " << plan.at("steps").size()
      << " steps planned\n\n";
  Lines passes{{"pass", "changes", "nodes after"}};
  for (const json& pass : plan.at("passes"))
    passes.push_back({pass[0], format_number(pass[1]), format_number(pass[2])});
  if (passes.size() == 1) {
    out << "  no pass ran\n";
  } else {
    print_table(passes, {1, 2}, out);
  }
  out << '\n';
  Lines steps{{"step", "operation", "kernel", "shapes", "threads", "FLOP", "bytes", "fallback"}};
  double flops = 0, bytes = 0;
  for (const json& step : plan.at("steps")) {
    steps.push_back({std::to_string(steps.size()), step[0], step[1], step[2], format_number(step[3]),
                     flop_text(step[4]), byte_text(step[5]), places(step[6])});
    flops += step[4].get<double>();
    bytes += step[5].get<double>();
  }
  steps.push_back({"", "all", "", "", "", flop_text(flops), byte_text(bytes), ""});
  print_table(steps, {0, 4, 5, 6}, out);
  out << "\n  arena " << byte_text(plan.value("arena_bytes", 0.0)) << ", workspace "
      << byte_text(plan.value("workspace_bytes", 0.0)) << ", " << plan.value("states", 0) << " states of which "
      << plan.value("packed_states", 0) << " packed\n";
  int number = 0;
  if (plan.contains("fallbacks"))
    for (const json& reason : plan.at("fallbacks"))
      if (reason.is_string()) out << "  fallback " << ++number << ": " << reason.get<std::string>() << '\n';
}

}  // namespace assay::harness
