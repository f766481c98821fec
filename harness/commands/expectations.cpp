#include "harness/commands/expectations.hpp"

#include <algorithm>
#include <ostream>

#include "harness/commands/commands.hpp"
#include "harness/run/failed_check.hpp"
#include "harness/text/spelling_suggestion.hpp"

namespace assay::harness {
namespace {

const std::vector<std::string> verdicts{"holds",          "fails",      "undecided",      "not testable here",
                                        "not tested yet", "reproduced", "same direction", "opposite",
                                        "not testable"};

}  // namespace

std::vector<Expectation> parse_expectations(const std::vector<std::string>& texts, const nlohmann::json& claims) {
  std::vector<std::string> ids;
  for (const auto& claim : claims) ids.push_back(claim.at("id"));
  std::vector<Expectation> result;
  for (const auto& text : texts) {
    const auto equals = text.find('=');
    if (equals == std::string::npos)
      throw UsageError("--expect wants ID=VERDICT, for example tracing.eager_step=fails; got '" + text + "'");
    Expectation one{text.substr(0, equals), text.substr(equals + 1)};
    if (std::find(ids.begin(), ids.end(), one.claim) == ids.end())
      throw UsageError(unknown_name("claim", one.claim, ids));
    if (std::find(verdicts.begin(), verdicts.end(), one.verdict) == verdicts.end())
      throw UsageError(unknown_name("verdict", one.verdict, verdicts));
    result.push_back(std::move(one));
  }
  return result;
}

bool report_unmet(const std::vector<Expectation>& expectations, const nlohmann::json& document, std::ostream& out) {
  bool all = true;
  for (const auto& expectation : expectations) {
    std::string found = "no verdict";
    bool met = false;
    for (const auto& claim : document.at("claims")) {
      if (claim.at("id") != expectation.claim) continue;
      for (const auto& verdict : claim.at("verdicts")) {
        const std::string advice = verdict.at("advice"), figure = verdict.at("figure");
        found = "advice " + advice + ", figure " + figure;
        met = met || advice == expectation.verdict || figure == expectation.verdict;
      }
    }
    if (!met)
      out << "assay: expected " << expectation.claim << "=" << expectation.verdict << ", found: " << found << "\n";
    all = all && met;
  }
  return all;
}

bool any_check_failed(const nlohmann::json& document) {
  return std::ranges::any_of(document.at("processes"),
                             [](const auto& process) { return failed_check_of(process) != nullptr; });
}

}  // namespace assay::harness
