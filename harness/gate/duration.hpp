#pragma once
#include <string>

namespace assay::harness {

/// "90s", "10m", "1.5h" or a bare number of seconds, in seconds. Throws UsageError for anything else, and unless the
/// time is above 0 and at most a day.
double parse_duration(const std::string& text);

}  // namespace assay::harness
