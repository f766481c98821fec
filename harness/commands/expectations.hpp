#pragma once
#include <iosfwd>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace assay::harness {

/// `--expect ID=VERDICT`: a verdict of the advice or of the figure that a CI job expects of a claim.
struct Expectation {
  std::string claim, verdict;
};

/// Throws UsageError for a malformed text, an unknown claim or a verdict that no claim can have, each with the nearest
/// right name.
std::vector<Expectation> parse_expectations(const std::vector<std::string>& texts, const nlohmann::json& claims);

/// Prints each expectation that the document does not meet; true when all are met.
bool report_unmet(const std::vector<Expectation>& expectations, const nlohmann::json& document, std::ostream& out);

/// Whether a process that ended well, its round repeated or not, reported a check that did not pass.
bool any_check_failed(const nlohmann::json& document);

}  // namespace assay::harness
