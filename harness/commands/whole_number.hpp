#pragma once
#include <CLI/CLI.hpp>
#include <cstdint>

namespace assay::harness {

/// Accepts whole numbers from `least` up, with a message that says so (CLI11's own names the limits of double).
CLI::Validator whole_number(std::uint64_t least);

}  // namespace assay::harness
