#pragma once
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "harness/results/samples.hpp"

namespace assay::harness {

/// One row for each configuration and metric, in the order of the catalogue (batch=2 before batch=128).
nlohmann::json value_rows(const Measurements& measurements, const std::vector<std::string>& programs,
                          const std::vector<std::string>& order);

}  // namespace assay::harness
