#pragma once
#include <nlohmann/json.hpp>

namespace assay::harness {

/// The first check that failed in a process with `used`; null where none did or where its answers do not count. They
/// count although its round is repeated because another process broke: a wrong answer stays one. Those of a process
/// that broke itself count only where it is used.
const nlohmann::json* failed_check_of(const nlohmann::json& process);

}  // namespace assay::harness
