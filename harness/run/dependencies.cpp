#include "harness/run/dependencies.hpp"

#include <stdexcept>
#include <utility>

#include "harness/run/case_inputs.hpp"

namespace assay::harness {

Dependencies::Dependencies(const RunPlan& plan, const CaseSettings& settings, const RunState& state,
                           const std::atomic<bool>& stop, std::function<void(const nlohmann::json&)> record)
    : plan_(plan), settings_(settings), state_(state), stop_(stop), services_(plan.cpus, std::move(record)) {}

std::optional<UnmetDependency> Dependencies::meet(const ProgramConfiguration& member, std::uint64_t seed,
                                                  CaseInputs& inputs) {
  for (const auto& need : case_of(plan_.programs, member).needs) {
    const ProgramConfiguration from = producer_of(plan_.programs, member.program, need);
    const std::uint64_t from_seed = need.same_seed ? seed : plan_.header.at("options").at("seed").get<std::uint64_t>();
    const bool service = case_of(plan_.programs, from).kind == CaseKind::service;
    if (auto unmet =
            service ? meet_service(need, from, from_seed, inputs) : meet_artifact(need, from, from_seed, inputs))
      return unmet;
  }
  return std::nullopt;
}

std::optional<UnmetDependency> Dependencies::meet_artifact(const Dependency& need, const ProgramConfiguration& from,
                                                           std::uint64_t seed, CaseInputs& inputs) const {
  if (const Artifact* const artifact = state_.artifact(from, seed, need.artifact)) {
    inputs.artifacts[need.artifact] = plan_.folder / artifact->path;
    return std::nullopt;
  }
  const std::string what = "it needs '" + need.artifact + "' of " + from.configuration + ", which ";
  const Left* const left = state_.left(from);
  if (!left) return UnmetDependency{{"failed", what + "made no artifact of that name"}};
  return UnmetDependency{
      {left->status, what + (left->status == "failed" ? "failed: " : "was skipped: ") + left->reason}};
}

std::optional<UnmetDependency> Dependencies::meet_service(const Dependency& need, const ProgramConfiguration& from,
                                                          std::uint64_t seed, CaseInputs& inputs) {
  if (!services_.runs(from)) {
    CaseInputs own = inputs_of(plan_, from, seed);
    if (auto unmet = meet(from, seed, own)) return unmet;
    make_empty(own.out);
    const ProgramCatalogue& offer = find_program(plan_.programs, from.program);
    try {
      services_.start(from, case_command(offer, from.configuration, settings_, own),
                      limit_s(offer, from.configuration, settings_.profile.name),
                      own.out.lexically_relative(plan_.folder), stop_);
    } catch (const std::runtime_error& error) {
      return UnmetDependency{{"failed", error.what()}, false};
    }
  }
  inputs.services[need.artifact] = services_.port(from);
  return std::nullopt;
}

std::function<void()> Dependencies::idle() {
  if (!services_.any()) return {};
  return [this] { services_.pump(); };
}

void Dependencies::end_services_unneeded_from(std::size_t first) {
  std::set<ProgramConfiguration> needed;
  for (std::size_t step = first; step < plan_.steps.size(); ++step)
    for (const auto& member : state_.staying(plan_.steps[step].members))
      for (const auto& need : case_of(plan_.programs, member).needs)
        if (const ProgramConfiguration from = producer_of(plan_.programs, member.program, need);
            case_of(plan_.programs, from).kind == CaseKind::service)
          needed.insert(from);
  services_.keep_only(needed);
}

}  // namespace assay::harness
