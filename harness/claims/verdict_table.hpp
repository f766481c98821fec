#pragma once
#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace assay::harness {

/// One verdict on a claim: in one program, and for one number format where the claim has several.
struct VerdictRow {
  std::string id, advice_text, published, program;
  std::string format{};  // the number format that a verdict is about, where a claim has several
  int section = 0;
  std::string kind;  // of number: "ratio", "difference" or "value"
  std::optional<double> estimate, low, high;
  std::string unit{};
  std::string advice, figure, reason;  // the two verdicts, and why one is missing
};

/// The verdicts of a run document, in the order of claims, then programs, then formats.
std::vector<VerdictRow> verdict_rows(const nlohmann::json& document);

/// "1.16x [1.13, 1.19]", "-0.0012 [-0.004, 0.002]", or "-" where nothing was measured.
std::string measured_text(const VerdictRow& row);

/// The lines above the table: that the machine was unfit or not quiet, and which programs ran.
std::vector<std::string> headlines(const nlohmann::json& document);

/// Prints the headlines and the table of verdicts. One program has columns if `width` is at least 96, and a block for
/// each claim otherwise. Several programs have a line each under a claim. Claims that nothing tested yet are counted in
/// one line. Nothing is printed of claims if none was tested.
void print_verdicts(const nlohmann::json& document, std::ostream& out, bool colour, int width);

}  // namespace assay::harness
