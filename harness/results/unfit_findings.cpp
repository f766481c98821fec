#include "harness/results/unfit_findings.hpp"

#include <map>

namespace assay::harness {
namespace {

using nlohmann::json;

/// By name: what was found, and what it does to measurements.
std::map<std::string, std::pair<std::string, std::string>> unfit_by_name(const json& moment) {
  std::map<std::string, std::pair<std::string, std::string>> found;
  for (const json& one : moment.value("doctor", json::array()))
    if (one.at("verdict") == "unfit" && one.at("name") != "steal")
      found[one.at("name")] = {one.at("value"), one.value("effect", "")};
  return found;
}

}  // namespace

std::vector<std::string> unfit_findings(const json& moment) {
  std::vector<std::string> texts;
  for (const auto& [name, what] : unfit_by_name(moment)) texts.push_back(name + ": " + what.first);
  return texts;
}

std::vector<std::string> lasting_unfit_findings(const json& state) {
  std::vector<json> moments{state.at("before")};
  for (const json& moment : state.value("resumed", json::array())) moments.push_back(moment);
  moments.push_back(state.at("after"));
  std::erase_if(moments, [](const json& moment) { return !moment.is_object() || !moment.contains("doctor"); });
  if (moments.empty()) return {};
  std::vector<std::string> texts;
  for (const auto& [name, what] : unfit_by_name(moments.front())) {
    bool lasting = true;
    for (const json& moment : moments) lasting = lasting && unfit_by_name(moment).contains(name);
    if (lasting)
      texts.push_back("the machine was not fit: the doctor found " + name + ": " + what.first + " (" + what.second +
                      ")");
  }
  return texts;
}

}  // namespace assay::harness
