#include "harness/gate/plan.hpp"

#include <algorithm>
#include <set>

#include "harness/cases/case_id.hpp"
#include "harness/files/sha256.hpp"
#include "harness/gate/gate_schedule.hpp"
#include "harness/machine/clock.hpp"
#include "harness/run/program_catalogue.hpp"

namespace assay::harness {
namespace {

using nlohmann::json;
namespace fs = std::filesystem;

/// Gives the processes of every side arguments and variables of the same length. One byte more moves what is allocated
/// after it, and a buffer that no longer begins at a cache line was measured to cost 27 %. The commit therefore stands
/// in the run's header alone.
void make_alike(ProgramCatalogue& offer, const std::string& folder) {
  offer.folder = folder;
  offer.environment = {{"ASSAY_COMMIT", ""}, {"ASSAY_DIRTY", ""}};
}

ProgramCatalogue candidate_offer(const GateOptions& options) {
  ProgramCatalogue offer = query_catalogue(options.candidate, options.data);
  offer.catalogue.program["name"] = candidate_name;
  make_alike(offer, "cand");
  offer.environment.insert(options.injected.begin(), options.injected.end());
  return offer;
}

/// A baseline that gives no catalogue counts as missing (CommandError 4).
ProgramCatalogue baseline_offer(const GateOptions& options, const fs::path& program, const std::string& name) {
  ProgramCatalogue offer;
  try {
    offer = query_catalogue(program, options.data);
  } catch (const std::runtime_error& error) {
    throw CommandError(4, "the baseline " + options.terms.against +
                              " cannot be measured: this gate speaks case protocol 1, and of the baseline came: " +
                              error.what() + "; choose a later one");
  }
  for (const auto& [key, value] : options.baseline_program.items()) offer.catalogue.program[key] = value;
  offer.catalogue.program["name"] = name;
  make_alike(offer, name == null_name ? "null" : "base");
  offer.shares_needs = true;
  return offer;
}

/// The user's floor wins. Otherwise the calibration of this machine can make the declared effect coarser, never finer.
void choose_presets(GateSelection& selection, const GateOptions& options) {
  std::vector<GateBenchmark> kept;
  for (auto& benchmark : selection.both) {
    const auto found = options.calibrated.find({benchmark.configuration, benchmark.metric});
    const bool known = !benchmark.exact() && !options.preset && found != options.calibrated.end();
    if (known && !found->second) {
      selection.unmeasured.push_back(
          {benchmark, "skipped",
           "too noisy to gate here, as this machine's calibration says; --floor gates it all the same"});
      continue;
    }
    if (known && found->second->floor > benchmark.preset->floor) {
      benchmark.preset = found->second;
      benchmark.preset_from = "calibration";
    }
    if (!benchmark.exact() && options.preset) {
      benchmark.preset = options.preset;
      benchmark.preset_from = "--floor";
    }
    kept.push_back(std::move(benchmark));
  }
  selection.both = std::move(kept);
}

json options_json(const GateOptions& options, const std::vector<std::string>& scenarios, std::size_t threads) {
  return {{"purpose", gate_purpose},       {"scenarios", scenarios},
          {"profile", options.profile},    {"off", json::array()},
          {"seed", options.seed},          {"threads", threads},
          {"data", options.data.string()}, {"asked", options.asked},
          {"injected", options.injected},  {"order_seed", options.terms.order_seed}};
}

}  // namespace

GatePlan prepare_gate(const GateOptions& options, const json& machine) {
  GatePlan plan;
  plan.terms = options.terms;
  plan.at_least_benchmarks = options.at_least_benchmarks;
  RunPlan& run = plan.run;
  run.cpus = first_cpus(options.threads);
  if (!options.out.empty()) check_run_folder(options.out);
  try {
    run.programs = {candidate_offer(options), baseline_offer(options, options.baseline, baseline_name),
                    baseline_offer(options, options.null_copy, null_name)};
    const Catalogue& first = run.programs[0].catalogue;
    plan.selection = select_benchmarks(first, run.programs[1].catalogue, options.asked);
    if (options.timed_only) std::erase_if(plan.selection.both, [](const auto& one) { return one.exact(); });
    if (plan.selection.both.empty())
      throw CommandError(4, "the baseline " + options.terms.against +
                                " has none of the gated benchmarks that were asked for (" +
                                std::to_string(plan.selection.unmeasured.size()) + " cannot be compared)");
    choose_presets(plan.selection, options);
    if (plan.selection.both.empty())
      throw CommandError(5,
                         "this machine is too noisy for every benchmark that was asked for, as its calibration says "
                         "(results/machines); --floor gates them all the same");
    const Profile* const profile =
        first.profile(options.profile) ? first.profile(options.profile) : &first.profiles.at(0);
    plan.looks = options.settling_rounds ? std::vector{settling_look(*options.settling_rounds)}
                                         : std::vector<Look>(default_looks().begin(), default_looks().end());
    GateSchedule drawn = gate_schedule(run.programs, plan.selection.both, plan.looks.back().rounds, options.seed,
                                       options.terms.order_seed);
    run.steps = std::move(drawn.steps);
    plan.places = std::move(drawn.places);
    run.padding_seed = options.terms.order_seed;

    const std::string id = utc_now("%Y%m%d-%H%M%S") + "-gate";
    run.folder = fs::absolute(options.out.empty() ? options.runs / id : options.out).lexically_normal();
    check_run_folder(run.folder);
    plan.terms.same_bytes = sha256_of_file(options.candidate) == sha256_of_file(options.baseline);
    json programs = json::array(), steps = json::array();
    for (const auto& offer : run.programs) programs.push_back(describe(offer, programs.empty()));
    for (const auto& step : run.steps) steps.push_back(to_json(step));
    std::set<std::string> scenarios;
    for (const auto& one : plan.selection.both)
      scenarios.insert(one.configuration.substr(0, one.configuration.find('.')));
    const json whole = to_json(first);
    json resolved;
    for (const json& one : whole.at("profiles"))
      if (one.at("name") == profile->name) resolved = one;
    run.header = {{"record", "run"},
                  {"schema", 1},
                  {"id", id},
                  {"created", utc_now()},
                  {"options", options_json(options, {scenarios.begin(), scenarios.end()}, run.cpus.size())},
                  {"profile", resolved},
                  {"programs", programs},
                  {"machine", machine},
                  {"state_before", nullptr},
                  {"catalogue", whole},
                  {"schedule", steps}};
    run.header["options"]["profile"] = profile->name;
    return plan;
  } catch (const CatalogueError& error) {
    throw CommandError(5, error.what());
  }
}

}  // namespace assay::harness
