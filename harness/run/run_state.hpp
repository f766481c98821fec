#pragma once
#include <cstdint>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include <nlohmann/json.hpp>

#include "harness/run/schedule.hpp"

namespace assay::harness {

/// A file that a used process made.
struct Artifact {
  std::filesystem::path path;  // relative to the run's folder
  std::string sha256;
};

/// A configuration that left its group, and why.
struct Left {
  std::string status, reason;
};

/// The state of a run, made from its records (docs/run_document.md, "Which process records count"). A run that goes on
/// and a run that is resumed apply the same records, so that they cannot differ.
class RunState {
 public:
  void apply(const nlohmann::json& record);

  bool closed(std::size_t step) const { return closed_.contains(step); }
  bool ended() const { return ended_; }
  int next_attempt(std::size_t step) const { return repeated_.contains(step) ? 2 : 1; }
  const Left* left(const ProgramConfiguration& member) const;
  /// Those of `members` that did not leave their group, in the same order.
  std::vector<ProgramConfiguration> staying(const std::vector<ProgramConfiguration>& members) const;
  const std::map<ProgramConfiguration, Left>& all_left() const { return left_; }
  const Artifact* artifact(const ProgramConfiguration& maker, std::uint64_t seed, const std::string& name) const;
  std::vector<Artifact> artifacts() const;

 private:
  using Key = std::tuple<ProgramConfiguration, std::uint64_t, std::string>;
  std::set<std::size_t> closed_, repeated_;
  std::map<ProgramConfiguration, Left> left_;
  std::map<Key, Artifact> artifacts_, pending_;  // pending: of the round that is not closed yet
  bool ended_ = false;
};

}  // namespace assay::harness
