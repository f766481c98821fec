#pragma once
#include <iosfwd>
#include <string>
#include <vector>

#include "harness/claims/verdict_table.hpp"
#include "harness/text/colour.hpp"

namespace assay::harness {

/// The colour in which a verdict is printed.
Colour colour_of(const std::string& verdict);

/// Whether a row's reason says what its verdicts don't.
bool needs_reason(const VerdictRow& row);

/// Several programs: under each claim one line a program. `rows` are in the order of verdict_rows(). Prints nothing and
/// returns false where `width` is too narrow for a line.
bool print_by_claim(const std::vector<VerdictRow>& rows, std::size_t width, std::ostream& out, bool colour);

}  // namespace assay::harness
