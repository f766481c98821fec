#include "harness/run/failed_check.hpp"

namespace assay::harness {

using nlohmann::json;

const json* failed_check_of(const json& process) {
  if (!process.at("used").get<bool>() && process.at("status") != "ok") return nullptr;
  for (const json& event : process.at("events"))
    if (event.value("event", "") == "check" && !event.value("passed", true)) return &event;
  return nullptr;
}

}  // namespace assay::harness
