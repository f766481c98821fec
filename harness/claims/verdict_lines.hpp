#pragma once
#include <iosfwd>
#include <string>
#include <vector>

#include "harness/claims/verdict_table.hpp"
#include "harness/text/colour.hpp"

namespace assay::harness {

/// The colour in which a verdict is printed.
Colour colour_of(const std::string& verdict);

/// Whether a row's reason says more than its verdicts.
bool needs_reason(const VerdictRow& row);

/// Prints each claim with a line for each program and number format. `rows` are in the order of verdict_rows(). Prints
/// nothing and returns false if a line is wider than `width`.
bool print_by_claim(const std::vector<VerdictRow>& rows, std::size_t width, std::ostream& out, bool colour);

}  // namespace assay::harness
