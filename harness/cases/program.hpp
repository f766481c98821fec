#pragma once
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "harness/cases/scenario.hpp"
#include "harness/errors/errors.hpp"

namespace assay::harness {

/// One automatic optimization as the harness sees it: a name and a state.
struct ControlInfo {
  std::string name, summary;
  bool on = true, acts = true;
  std::string reason;                                                  // why it cannot act here
  std::map<std::string, std::string> environment_on, environment_off;  // set by the harness before the start
  std::vector<std::string> needs{};                                    // controls without which it cannot act
};

/// Rounds, repetitions, seeds and lengths, chosen by the profile's name.
struct Profile {
  std::string name;
  int rounds = 10, repetitions = 3, seeds = 6;
  std::map<std::string, std::int64_t> lengths;  // "tracing.epochs": 6
};

/// Everything a program under test gives the harness. main.cpp fills one in; the case protocol is made from it.
struct Program {
  std::string name = "assay", version, commit;
  bool dirty = false;
  nlohmann::json build;  // compiler, flags, instruction set, library versions
  std::vector<Scenario> scenarios;
  std::vector<Profile> profiles;
  std::function<std::vector<ControlInfo>(const std::vector<std::string>& off)>
      controls;                                    // throws std::invalid_argument for an unknown name
  std::function<void(const Parameters&)> prepare;  // once, before the body of a case: applies controls and threads
  std::function<void(const std::filesystem::path& data)> check_data;  // throws DataError
  std::filesystem::path default_data;
};

/// `PROGRAM cases`: the catalogue as JSON (docs/protocol.md).
nlohmann::json catalogue(const Program& program);

/// `PROGRAM case …`: runs one case, events on the descriptor that standard output was; returns the exit code.
int run_case(const Program& program, const Parameters& parameters);

}  // namespace assay::harness
