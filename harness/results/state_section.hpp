#pragma once
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace assay::harness {

/// `state` of the run document: the machine before and after the run and at each resumption, whether it was fit, and
/// what was doubtful.
nlohmann::json state_section(const nlohmann::json& header, const std::vector<nlohmann::json>& records,
                             const std::vector<nlohmann::json>& processes);

/// The numbers that a field has in the processes, or only in those that count.
std::vector<double> numbers_of(const std::vector<nlohmann::json>& processes, const std::string& field, bool only_used);

}  // namespace assay::harness
