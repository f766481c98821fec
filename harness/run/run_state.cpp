#include "harness/run/run_state.hpp"

namespace assay::harness {
namespace {

ProgramConfiguration member_of(const nlohmann::json& record) {
  return {record.at("program"), record.at("configuration")};
}

}  // namespace

void RunState::apply(const nlohmann::json& record) {
  const auto kind = record.at("record").get<std::string>();
  if (kind == "resume") pending_.clear();
  if (kind == "end") ended_ = true;
  if (kind == "process" && !record.at("step").is_null() && record.at("status") == "ok") {
    for (const auto& event : record.at("events"))
      if (event.at("event") == "artifact")
        pending_[{member_of(record), record.at("seed"), event.at("name")}] = {
            std::filesystem::path(record.at("out").get<std::string>()) / event.at("path").get<std::string>(),
            event.at("sha256")};
  }
  if (kind == "round") {
    const auto step = record.at("step").get<std::size_t>();
    if (record.at("complete").get<bool>()) {
      closed_.insert(step);
      for (auto& [key, artifact] : pending_) artifacts_[key] = artifact;
    } else {
      repeated_.insert(step);
    }
    pending_.clear();
    for (const auto& entry : record.at("left")) left_[member_of(entry)] = {entry.at("status"), entry.at("reason")};
  }
}

const Left* RunState::left(const ProgramConfiguration& member) const {
  const auto found = left_.find(member);
  return found == left_.end() ? nullptr : &found->second;
}

std::vector<ProgramConfiguration> RunState::staying(const std::vector<ProgramConfiguration>& members) const {
  std::vector<ProgramConfiguration> result;
  for (const auto& member : members)
    if (!left(member)) result.push_back(member);
  return result;
}

const Artifact* RunState::artifact(const ProgramConfiguration& maker_member, std::uint64_t seed,
                                   const std::string& name) const {
  const auto found = artifacts_.find({maker_member, seed, name});
  return found == artifacts_.end() ? nullptr : &found->second;
}

std::vector<Artifact> RunState::artifacts() const {
  std::vector<Artifact> result;
  for (const auto& [key, artifact] : artifacts_) result.push_back(artifact);
  return result;
}

}  // namespace assay::harness
