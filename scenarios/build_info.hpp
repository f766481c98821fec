#pragma once
#include <nlohmann/json.hpp>

namespace assay::scenarios {

/// Compiler, flags, instruction set and library versions of this build: part of the machine key, since they change what
/// is measured.
nlohmann::json build_info();

}  // namespace assay::scenarios
