#pragma once
#include <string>

#include <nlohmann/json.hpp>

namespace assay::harness {

/// What this machine is, for deciding whether two runs may be compared: nothing that changes from boot to boot or with
/// the load, and no clock reading. `build` (compiler, flags, instruction set, library versions) becomes part of it.
/// What cannot be known is null.
nlohmann::json machine_identity(const nlohmann::json& build);

/// 16 hexadecimal digits: 64-bit FNV-1a over the canonical JSON (keys sorted, no spaces) of what decides comparability.
/// Operating system, kernel and product name stand in the identity without deciding: an update must not split a
/// history.
std::string machine_key(const nlohmann::json& identity);

}  // namespace assay::harness
