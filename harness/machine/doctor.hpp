#pragma once
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "harness/machine/environment.hpp"

namespace assay::harness {

/// How one property of the machine affects measurements. `unfit` means that no valid answer is possible.
enum class Fitness { ok, note, doubtful, unfit };

const std::string& name_of(Fitness fitness);

/// One line of the doctor.
struct Finding {
  std::string name, value;
  Fitness fitness = Fitness::ok;
  std::string effect;   // on measurements; empty for `ok`
  std::string command;  // that changes the property; empty where there is none
};

/// What the machine's identity, its state and the environment mean for measuring. A pure function. A missing
/// reading is a note and never makes the machine unfit.
std::vector<Finding> diagnose(const nlohmann::json& identity, const nlohmann::json& state,
                              const EnvironmentReport& environment);

/// The worst fitness among the findings.
Fitness worst(const std::vector<Finding>& findings);

nlohmann::json to_json(const std::vector<Finding>& findings);

}  // namespace assay::harness
