#pragma once
#include <iosfwd>
#include <vector>

#include <nlohmann/json.hpp>

namespace assay::harness {

/// Several run documents beside each other: claims x runs, ratios x runs, and times x runs where the machine key is the
/// same or `absolute` asks for it (then they are marked). {"runs", "same_machine", "claims", "ratios", "values",
/// "why_no_values"}; a cell is null where a run lacks the row, and a row stands here when two runs have it. Throws
/// RunError 4 when none does.
nlohmann::json side_by_side(const std::vector<nlohmann::json>& documents, bool absolute);

/// As text, or with `markdown` as Markdown tables.
void print_side_by_side(const nlohmann::json& sides, std::ostream& out, bool markdown);

}  // namespace assay::harness
