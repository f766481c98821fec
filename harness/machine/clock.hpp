#pragma once
#include <string>

namespace assay::harness {

/// Now, in UTC: "2026-11-30T07:00:00Z", or by a format of strftime.
std::string utc_now(const char* format = "%Y-%m-%dT%H:%M:%SZ");

}  // namespace assay::harness
