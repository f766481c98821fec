#pragma once
#include <iosfwd>
#include <string>
#include <vector>

#include "harness/claims/verdict_table.hpp"

namespace assay::harness {

/// `text` in the colour of a verdict. It repeats what the word says, so that nothing is lost without it.
std::string coloured(const std::string& text, const std::string& verdict, bool colour);
/// `text` in bold.
std::string strong(const std::string& text, bool colour);

/// Whether a row's reason says what its verdicts don't.
bool needs_reason(const VerdictRow& row);

/// Several programs: under each claim one line a program. `rows` are in the order of verdict_rows(). Prints nothing and
/// returns false where `width` is too narrow for a line.
bool print_by_claim(const std::vector<VerdictRow>& rows, std::size_t width, std::ostream& out, bool colour);

}  // namespace assay::harness
