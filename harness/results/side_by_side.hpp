#pragma once
#include <iosfwd>
#include <vector>

#include <nlohmann/json.hpp>

namespace assay::harness {

/// Compares several run documents: claims, ratios and values, with a column for each run. Values are shown if all runs
/// have the same machine key, or if `absolute` asks for them, and are marked then. The result has "runs",
/// "same_machine", "claims", "ratios", "values" and "why_no_values". A cell is null if its run lacks the row. A row is
/// listed if at least two runs have it. Throws CommandError 4 if there is none.
nlohmann::json side_by_side(const std::vector<nlohmann::json>& documents, bool absolute);

/// Prints the comparison as text or as Markdown tables.
void print_side_by_side(const nlohmann::json& sides, std::ostream& out, bool markdown);

}  // namespace assay::harness
