#pragma once
#include <string>

#include <nlohmann/json.hpp>

namespace assay::harness {

/// What decides whether two runs may be compared. It holds nothing that changes from boot to boot or with the load, and
/// no clock rate. `build` (compiler, flags, instruction set, library versions) becomes part of it. Unknown fields are
/// null.
nlohmann::json machine_identity(const nlohmann::json& build);

/// 16 hexadecimal digits: the 64-bit FNV-1a hash of the canonical JSON (sorted keys, no spaces) of the fields that
/// decide whether runs are comparable. Operating system, kernel and product name are not among them, so that an update
/// does not split a history.
std::string machine_key(const nlohmann::json& identity);

}  // namespace assay::harness
