#pragma once
#include <string>

namespace assay::harness {

/// A value with its unit, in three digits; a time in ns in the unit that suits it: "21.3 us", "0.23", "510 B".
std::string quantity_text(double value, const std::string& unit);

}  // namespace assay::harness
