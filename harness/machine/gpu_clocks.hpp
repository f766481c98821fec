#pragma once
#include <string>

#include <nlohmann/json.hpp>

namespace assay::harness {

/// What `nvidia-smi` says of each GPU's clock now, at most, and why it is held down: "H200: 345 of 1980 MHz, idle".
/// Null where it does not answer within a few seconds.
nlohmann::json gpu_clocks();

/// One line of it, from "name, clock MHz, most MHz, reasons as a hexadecimal mask"; empty for another text.
std::string gpu_clock_text(const std::string& csv_line);

}  // namespace assay::harness
