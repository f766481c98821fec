#include "harness/commands/plan_text.hpp"

#include <algorithm>
#include <ostream>
#include <string>
#include <vector>

#include "harness/text/format_number.hpp"
#include "harness/text/table.hpp"

namespace assay::harness {
namespace {

using nlohmann::json;
using Align = TextTable::Align;

constexpr std::size_t max_cell = 46;  // of the kernels of a fused step

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
  TextTable passes({{"pass"}, {"changes", Align::right}, {"nodes after", Align::right}});
  for (const json& pass : plan.at("passes"))
    passes.add_row({pass[0].get<std::string>(), format_number(pass[1]), format_number(pass[2])});
  if (plan.at("passes").empty())
    out << "  no pass ran\n";
  else
    passes.print(out);
  out << '\n';
  TextTable steps({{"step", Align::right},
                   {"operation", Align::left, max_cell},
                   {"kernel", Align::left, max_cell},
                   {"shapes", Align::left, max_cell},
                   {"threads", Align::right},
                   {"FLOP", Align::right},
                   {"bytes", Align::right},
                   {"fallback", Align::left, max_cell}});
  double flops = 0, bytes = 0;
  int place = 0;
  for (const json& step : plan.at("steps")) {
    steps.add_row({std::to_string(++place), step[0].get<std::string>(), step[1].get<std::string>(),
                   step[2].get<std::string>(), format_number(step[3]), flop_text(step[4]), byte_text(step[5]),
                   places(step[6])});
    flops += step[4].get<double>();
    bytes += step[5].get<double>();
  }
  steps.add_row({"", "all", "", "", "", flop_text(flops), byte_text(bytes), ""});
  steps.print(out);
  out << "\n  arena " << byte_text(plan.value("arena_bytes", 0.0)) << ", workspace "
      << byte_text(plan.value("workspace_bytes", 0.0)) << ", " << plan.value("states", 0) << " states of which "
      << plan.value("packed_states", 0) << " packed\n";
  int number = 0;
  if (plan.contains("fallbacks"))
    for (const json& reason : plan.at("fallbacks"))
      if (reason.is_string()) out << "  fallback " << ++number << ": " << reason.get<std::string>() << '\n';
}

}  // namespace assay::harness
