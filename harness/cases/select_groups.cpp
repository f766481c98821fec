#include "harness/cases/select_groups.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "harness/cases/case_id.hpp"

namespace assay::harness {
namespace {

void keep(const Catalogue& catalogue, const std::string& configuration, std::set<std::string>& kept) {
  const std::string name = parse_case_id(configuration).case_name;
  const CaseInfo* const one = catalogue.find(name);
  if (!one || !kept.insert(name).second) return;
  for (const auto& need : one->needs) keep(catalogue, need.from, kept);
}

}  // namespace

void select_groups(Catalogue& catalogue, const std::string& scenario, std::vector<Group> groups) {
  std::set<std::string> kept;
  for (const auto& group : groups)
    for (const auto& configuration : group.configurations) keep(catalogue, configuration, kept);
  for (auto& one : catalogue.scenarios) {
    if (one.name != scenario) continue;
    std::erase_if(one.cases, [&](const CaseInfo& offer) { return !kept.contains(offer.name); });
    one.groups = std::move(groups);
    one.comparisons.clear();
    one.gates.clear();
    one.ablations.clear();
    return;
  }
}

}  // namespace assay::harness
