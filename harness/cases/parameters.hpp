#pragma once
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace assay::harness {

/// What one case process was asked to do: the command line of `PROGRAM case`, parsed and completed with defaults.
struct Parameters {
  std::string case_name;                        // "tracing.step"
  std::map<std::string, std::string> values;    // parameters, defaults filled in
  std::map<std::string, std::int64_t> lengths;  // rows, epochs, …: from the profile, never in the id
  std::map<std::string, std::filesystem::path> artifacts;
  std::map<std::string, int> services;  // ports of the services that it needs
  std::vector<std::string> off;         // controls switched off, those that a value stands for included
  std::uint64_t seed = 0;
  int threads = 1;
  int repetitions = 3;
  std::filesystem::path data, out;

  /// Throw std::out_of_range that names what is missing.
  const std::string& text(const std::string& key) const;
  std::int64_t integer(const std::string& key) const;
  std::int64_t length(const std::string& key) const;
  const std::filesystem::path& artifact(const std::string& name) const;
};

}  // namespace assay::harness
