#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "harness/run/process.hpp"

namespace assay::harness {

/// One line of a case, read. Throws std::invalid_argument that says why it is no event of the protocol: no JSON, not an
/// object, nested deeper than 32, or a known event whose fields are missing or of another type. Unknown events and
/// fields pass.
nlohmann::json read_event(std::string_view line);

/// Why a JSON value is no event of the protocol (as above); empty where it is one.
std::string event_fault(const nlohmann::json& event);

/// What became of one process, in the words of the `process` record.
struct CaseOutcome {
  std::string status;  // ok, skipped, failed
  std::string reason;
};

/// What stopped a process before its own end, if anything did.
struct Interference {
  std::string bad_line;   // the first line that is no event, with the reason
  bool too_much = false;  // output above the limit
  bool too_long = false;
  double limit_s = 0;
};

constexpr std::size_t output_limit = 16u << 20;  // bytes of standard output

/// Success is `finish` as the last event and exit 0; everything else has a reason.
CaseOutcome outcome_of(const std::vector<nlohmann::json>& events, const ProcessResult& ended,
                       const Interference& interference, const std::string& case_name);

}  // namespace assay::harness
