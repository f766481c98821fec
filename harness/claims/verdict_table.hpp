#pragma once
#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace assay::harness {

/// One claim in one program, as plain data for a terminal or a page.
struct VerdictRow {
  std::string id, advice_text, published, program;
  std::string format{};  // the number format that a verdict is about, where a claim has several
  int section = 0;
  std::string kind;  // of the measured number: "ratio", "difference" or "value"
  std::optional<double> estimate, low, high;
  std::string unit{};
  std::string advice, figure, reason;  // the two verdicts, and why where there is none
};

/// Every claim of a run document, in the order of the claims, then of the programs and formats.
std::vector<VerdictRow> verdict_rows(const nlohmann::json& document);

/// "1.16x [1.13, 1.19]", "-0.0012 [-0.004, 0.002]", or "-" where nothing was measured.
std::string measured_text(const VerdictRow& row);

/// What stands above the table: the machine where it was not fit, and who ran ("only assay's own engine ran", said only
/// where a verdict follows).
std::vector<std::string> headlines(const nlohmann::json& document);

/// Prints headlines and table: columns from a `width` of 96 on, below that one block a claim (at least 32 wide);
/// several programs have one line each under a claim. Claims that nothing tested yet are counted in one line, and where
/// nothing was tested at all there is none. `colour` is the caller's decision (terminal, NO_COLOR).
void print_verdicts(const nlohmann::json& document, std::ostream& out, bool colour, int width);

}  // namespace assay::harness
