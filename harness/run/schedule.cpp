#include "harness/run/schedule.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "harness/cases/case_id.hpp"
#include "harness/run/shuffle.hpp"

namespace assay::harness {
namespace {

struct Unit {
  std::string group;
  CaseKind kind;
  std::vector<ProgramConfiguration> members;
};

/// A unit that is not timed, for one seed (its index in the profile).
using Node = std::pair<std::size_t, int>;

class Planner {
 public:
  Planner(const std::vector<ProgramCatalogue>& offers, const Profile& profile,
          const std::vector<std::string>& scenarios, std::uint64_t seed)
      : offers_(offers), profile_(profile), seed_(seed) {
    for (const auto& offer : offers)
      for (const auto& scenario : offer.catalogue.scenarios)
        if (std::find(scenarios.begin(), scenarios.end(), scenario.name) != scenarios.end()) add(offer, scenario);
    const std::size_t selected = units_.size();  // what joins later is run only for the seeds that need it
    for (std::size_t unit = 0; unit < selected; ++unit) {
      const bool trained = units_[unit].kind == CaseKind::trained;
      if (units_[unit].kind == CaseKind::timed)
        for (const auto& member : std::vector<ProgramConfiguration>(units_[unit].members)) depend(member, 0);
      else
        for (int index = 0; index < (trained ? profile.seeds : 1); ++index) require({unit, index});
    }
  }

  std::vector<ScheduleStep> steps() {
    std::vector<ScheduleStep> result;
    in_order_of_needs(result);
    for (int round = 1; round <= profile_.rounds; ++round)
      for (const auto& unit : units_)
        if (unit.kind == CaseKind::timed) result.push_back(step(unit, round, seed_));
    return result;
  }

 private:
  void add(const ProgramCatalogue& offer, const ScenarioInfo& scenario) {
    const std::string program = offer.catalogue.name();
    std::set<std::string> grouped;
    for (const auto& group : scenario.groups)
      for (const auto& configuration : group.configurations) {
        grouped.insert(parse_case_id(configuration).case_name);
        join(group.name, {program, configuration});
      }
    for (const auto& one : scenario.cases)
      if (one.kind != CaseKind::service && !grouped.contains(one.name)) join(one.name, {program, one.name});
  }

  std::size_t join(const std::string& group, const ProgramConfiguration& member) {
    const CaseKind kind = case_of(offers_, member).kind;
    auto unit = std::find_if(units_.begin(), units_.end(), [&](const Unit& u) { return u.group == group; });
    if (unit == units_.end()) unit = units_.insert(units_.end(), {group, kind, {}});
    if (unit->kind != kind)
      throw CatalogueError("group '" + group + "': " + member.label() + " is " + to_string(kind) + ", the others are " +
                           to_string(unit->kind));
    unit->members.push_back(member);
    const auto index = static_cast<std::size_t>(unit - units_.begin());
    home_[member] = index;
    return index;
  }

  void require(Node node) {
    if (!needed_by_.emplace(node, std::set<Node>{}).second) return;
    for (const auto& member :
         std::vector<ProgramConfiguration>(units_[node.first].members))  // units_ may grow meanwhile
      for (const Node& maker_node : depend(member, node.second)) needed_by_[maker_node].insert(node);
  }

  /// The nodes that must have run before `member` can, at a seed; a service's needs are its user's.
  std::vector<Node> depend(const ProgramConfiguration& member, int index) {
    std::vector<Node> result;
    for (const auto& need : case_of(offers_, member).needs) {
      const ProgramConfiguration from = producer_of(offers_, member.program, need);
      const int from_index = need.same_seed ? index : 0;
      switch (case_of(offers_, from).kind) {
        case CaseKind::timed:
          throw CatalogueError(member.label() + " needs '" + need.artifact + "' of " + from.label() +
                               ", which is timed; only exact and trained cases make artifacts");
        case CaseKind::service:
          if (!open_.insert(from).second) throw CatalogueError("the needs form a circle: " + from.label());
          for (const Node& node : depend(from, from_index)) result.push_back(node);
          open_.erase(from);
          break;
        default: {
          const auto known = home_.find(from);
          const Node node{known != home_.end() ? known->second : join(from.configuration, from), from_index};
          require(node);
          result.push_back(node);
        }
      }
    }
    return result;
  }

  void in_order_of_needs(std::vector<ScheduleStep>& result) {
    std::map<Node, int> open;  // makers not yet placed
    for (const auto& [node, users] : needed_by_) {
      open.try_emplace(node, 0);
      for (const auto& user : users) ++open[user];
    }
    const auto rank = [&](const Node& node) {
      return std::tuple(units_[node.first].kind != CaseKind::exact, node.second, node.first);
    };
    while (!open.empty()) {
      auto best = open.end();
      for (auto node = open.begin(); node != open.end(); ++node)
        if (node->second == 0 && (best == open.end() || rank(node->first) < rank(best->first))) best = node;
      if (best == open.end()) {
        std::string names;
        for (const auto& [node, count] : open) names += (names.empty() ? "" : ", ") + units_[node.first].group;
        throw CatalogueError("the needs form a circle: " + names);
      }
      const Node node = best->first;
      open.erase(best);
      for (const auto& user : needed_by_[node])
        if (open.contains(user)) --open[user];
      result.push_back(step(units_[node.first], node.second + 1, seed_ + static_cast<std::uint64_t>(node.second)));
    }
  }

  ScheduleStep step(const Unit& unit, int round, std::uint64_t seed) const {
    ScheduleStep result{unit.group, unit.kind, round, seed, unit.members};
    shuffle(result.members, SplitMix64(seed_, unit.group, round));
    return result;
  }

  const std::vector<ProgramCatalogue>& offers_;
  const Profile& profile_;
  std::uint64_t seed_;
  std::vector<Unit> units_;
  std::map<ProgramConfiguration, std::size_t> home_;
  std::map<Node, std::set<Node>> needed_by_;
  std::set<ProgramConfiguration> open_;
};

}  // namespace

std::vector<ScheduleStep> schedule(const std::vector<ProgramCatalogue>& offers, const Profile& profile,
                                   const std::vector<std::string>& scenarios, std::uint64_t seed) {
  return Planner(offers, profile, scenarios, seed).steps();
}

ProgramConfiguration producer_of(const std::vector<ProgramCatalogue>& offers, const std::string& program,
                                 const Dependency& need) {
  const std::string name = need.from.substr(0, need.from.find('{'));
  const ProgramCatalogue &own = find_program(offers, program), &first = offers.front();
  const CaseInfo* const shared = own.shares_needs ? first.catalogue.find(name) : nullptr;
  const bool from_first = shared && shared->kind != CaseKind::service;
  for (const ProgramCatalogue* const offer : {from_first ? &first : &own, &first})
    if (offer->catalogue.find(name)) return {offer->catalogue.name(), canonical_id(offer->catalogue, need.from)};
  throw CatalogueError("'" + need.artifact + "' is needed from '" + need.from + "', which neither " + program +
                       " nor " + offers.front().catalogue.name() + " offers");
}

const ProgramCatalogue& find_program(const std::vector<ProgramCatalogue>& offers, const std::string& program) {
  for (const auto& offer : offers)
    if (offer.catalogue.name() == program) return offer;
  throw CatalogueError("no program '" + program + "' in this run");
}

const CaseInfo& case_of(const std::vector<ProgramCatalogue>& offers, const ProgramConfiguration& member) {
  const CaseInfo* const found =
      find_program(offers, member.program).catalogue.find(parse_case_id(member.configuration).case_name);
  if (!found) throw CatalogueError(member.label() + " is in no catalogue");
  return *found;
}

nlohmann::json to_json(const ScheduleStep& step) {
  nlohmann::json labels = nlohmann::json::array();
  for (const auto& member : step.members) labels.push_back(member.label());
  return {{"group", step.group},
          {"kind", to_string(step.kind)},
          {"round", step.round},
          {"seed", step.seed},
          {"configurations", labels}};
}

ScheduleStep read_schedule_step(const nlohmann::json& document) {
  ScheduleStep step{document.at("group"), CaseKind::exact, document.at("round"), document.at("seed"), {}};
  for (const CaseKind kind : {CaseKind::timed, CaseKind::trained})
    if (document.at("kind") == to_string(kind)) step.kind = kind;
  for (const auto& label : document.at("configurations")) {
    const auto text = label.get<std::string>();
    const auto colon = text.find(':');  // values may hold one too, so the first counts
    step.members.push_back({text.substr(0, colon), text.substr(colon + 1)});
  }
  return step;
}

}  // namespace assay::harness
