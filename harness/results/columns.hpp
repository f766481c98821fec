#pragma once
#include <map>
#include <string>

#include <nlohmann/json.hpp>

namespace assay::harness {

/// A program's catalogue may name parameters that make columns (`program.columns`): TensorFlow with its oneDNN kernels
/// on is another column than with them off. In the run document such a parameter stands in the program's name,
/// `tensorflow{onednn=off}`, and no longer in the configuration, so that every comparison of the first program is
/// formed within each column.
class Columns {
 public:
  /// From the `run` record, which must outlive this.
  explicit Columns(const nlohmann::json& header);

  /// One entry a column, in the order of programs and of the parameter's values; without catalogues.
  const nlohmann::json& programs() const { return programs_; }
  /// What the program of a column offers.
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
