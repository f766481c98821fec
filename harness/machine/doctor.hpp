#pragma once
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "harness/machine/environment.hpp"

namespace assay::harness {

/// How much one property of the machine matters. unfit: no valid answer is possible.
enum class Fitness { ok, note, doubtful, unfit };

const std::string& name_of(Fitness fitness);

/// One line of the doctor.
struct Finding {
  std::string name, value;
  Fitness fitness = Fitness::ok;
  std::string effect;   // on measurements; empty where it is ok
  std::string command;  // that changes it; empty where there is none
};

/// What the machine's identity, its state and the environment mean for measuring. A pure function: a reading that is
/// not to be had is a note, never a verdict.
std::vector<Finding> diagnose(const nlohmann::json& identity, const nlohmann::json& state,
                              const EnvironmentReport& environment);

/// The worst of them.
Fitness worst(const std::vector<Finding>& findings);

nlohmann::json to_json(const std::vector<Finding>& findings);

}  // namespace assay::harness
