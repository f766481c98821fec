#pragma once
#include <string>

#include <nlohmann/json.hpp>

namespace assay::harness {

/// Each GPU's clock rate, its maximum and what limits it, as `nvidia-smi` reports them: "H200: 345 of 1980 MHz, idle".
/// Null where nvidia-smi does not answer within 5 seconds.
nlohmann::json gpu_clocks();

/// The text for one GPU, from "name, clock MHz, maximum MHz, reasons as a hexadecimal mask". Empty for any other line.
std::string gpu_clock_text(const std::string& csv_line);

}  // namespace assay::harness
