#pragma once
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "harness/results/samples.hpp"

namespace assay::harness {

/// One row for each configuration and metric; `order` is the catalogue's, so that batch=2 stands before batch=128.
nlohmann::json value_rows(const Measurements& measurements, const std::vector<std::string>& programs,
                          const std::vector<std::string>& order);

/// Whether a metric with this unit gives the same number each time. Times and rates never do, so that a single one of
/// them carries no certainty; counts, bytes and shares of rows do.
bool is_exact_unit(const std::string& unit);

}  // namespace assay::harness
