#pragma once
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace assay::tests {

/// The records of an invented run: scenario `toy`, a timed group (toy.step traced and eager), a trained one (toy.fit,
/// toy.loop) and an exact case (toy.count). Numbers are chosen so that every result is known by hand.
class ToyRecords {
 public:
  ToyRecords();

  /// One process record; `step` is the index in the schedule.
  nlohmann::json process(int step, const std::string& configuration, nlohmann::json events, int attempt = 1) const;
  void add(nlohmann::json record) { records.push_back(std::move(record)); }
  void end_round(int step, int attempt = 1, bool complete = true, nlohmann::json left = nlohmann::json::array());
  /// A whole round of the timed group: three repetitions each, whose median is the number given.
  void timed_round(int round, double traced, double eager, int attempt = 1);
  /// The six rounds: eager costs 1.10, 1.20, … as given; traced costs 100.
  void timed_rounds(const std::vector<double>& ratios);
  void end();

  std::vector<nlohmann::json> records;

  static constexpr int count_step = 0, first_seed_step = 1, first_round_step = 7;
};

nlohmann::json samples(const std::string& metric, std::vector<double> values);
nlohmann::json value(const std::string& metric, const std::string& unit, const std::string& better,
                     nlohmann::json number);
nlohmann::json failed_check(double measured);

/// The row of `rows` whose `key` is `name`; a failed test where there is none.
const nlohmann::json& row(const nlohmann::json& rows, const std::string& key, const std::string& name);

}  // namespace assay::tests
