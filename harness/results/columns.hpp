#pragma once
#include <map>
#include <string>

#include <nlohmann/json.hpp>

namespace assay::harness {

/// The columns of the results. A program's catalogue may name parameters that make columns (`program.columns`):
/// TensorFlow with its oneDNN kernels on is one column, and with them off another. The run document moves such a
/// parameter from the configuration to the program's name, `tensorflow{onednn=off}`, so that every comparison of the
/// first program is formed within each column.
class Columns {
 public:
  /// Reads the `run` record, which must outlive this object.
  explicit Columns(const nlohmann::json& header);

  /// One entry for each column, in the order of programs and of the parameter's values, without catalogues.
  const nlohmann::json& programs() const { return programs_; }
  /// The catalogue of a column's program.
  const nlohmann::json& catalogue_of(const std::string& column) const { return *offered_.at(column); }
  /// Rewrites `program` and `configuration` of a process or of a configuration that left.
  void place(nlohmann::json& entry) const;

 private:
  struct Place {
    std::string column, configuration;
  };
  Place place_of(const nlohmann::json& catalogue, const std::string& program, const std::string& configuration) const;

  std::map<std::string, const nlohmann::json*> with_columns_;  // by program; what they point to is the header's
  std::map<std::string, const nlohmann::json*> offered_;       // by column
  nlohmann::json programs_ = nlohmann::json::array();
};

}  // namespace assay::harness
