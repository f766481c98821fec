#pragma once
#include <filesystem>
#include <span>
#include <stdexcept>

#include "engine/core/variable.hpp"

namespace assay::engine {

/// A weights file that cannot be used: names the file, the tensor, what was expected and what was found.
class WeightsError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Writes variables in the safetensors format: 8 bytes little-endian header length, a JSON header, the values. By
/// rename, so that nobody reads half a file.
void save_weights(const std::filesystem::path& file, std::span<const Variable> variables);

/// Fills the variables from a file that holds tensors of their names, types and shapes; others in it are left alone.
void load_weights(const std::filesystem::path& file, std::span<const Variable> variables);

}  // namespace assay::engine
