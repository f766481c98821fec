#include "harness/ablation/effects.hpp"

#include <algorithm>
#include <set>

#include "harness/cases/case_id.hpp"
#include "harness/cases/resolved_configuration.hpp"

namespace assay::harness {
namespace {

using nlohmann::json;

/// A configuration without its keys `off` and `on`, and their values.
struct Switched {
  std::string configuration, off, on;
};

Switched switched(const std::string& id) {
  CaseId parsed = parse_case_id(id);
  Switched result;
  for (const auto& [key, value] : {std::pair<const char*, std::string*>{"off", &result.off}, {"on", &result.on}})
    if (const auto own = parsed.values.extract(key); !own.empty()) *value = own.mapped();
  result.configuration = format_case_id(parsed);
  return result;
}

std::optional<double> number(const json& value) {
  return value.is_number() ? std::optional(value.get<double>()) : std::nullopt;
}

/// `off`: the candidate is the side without the switched control.
SwitchEffect effect_of(const json& comparison, bool off) {
  const std::string verdict = comparison.at("verdict");
  SwitchEffect effect{number(comparison.at("estimate")), number(comparison.at("low")), number(comparison.at("high")),
                      verdict, ""};
  if (verdict == "same") effect.verdict = "no difference";
  if (verdict == "regressed") effect.verdict = off ? "helps" : "hurts";
  if (verdict == "improved") effect.verdict = off ? "hurts" : "helps";
  if (verdict == "invalid") effect.reason = comparison.at("reason");
  return effect;
}

/// The one name that is in `more` and not in `fewer`.
std::string added(const std::string& fewer, const std::string& more) {
  const auto before = split_controls(fewer);
  for (const auto& name : split_controls(more))
    if (std::find(before.begin(), before.end(), name) == before.end()) return name;
  return "";
}

std::optional<double> median_of(const json& document, const Ablation& ablation, const std::string& configuration) {
  for (const json& value : document.at("values"))
    if (value.at("configuration") == configuration && value.at("program") == ablation.program &&
        value.at("metric") == ablation.metric)
      return number(value.at("median"));
  return std::nullopt;
}

Ablation& ablation_of(std::vector<Ablation>& all, const json& comparison, const std::string& configuration) {
  const std::string program = comparison.at("program"), metric = comparison.at("metric");
  for (Ablation& one : all)
    if (one.configuration == configuration && one.program == program && one.metric == metric) return one;
  all.push_back({configuration, program, metric, comparison.at("unit"), {}, {}, {}, {}});
  return all.back();
}

ControlEffect& effect_on(Ablation& ablation, const std::string& control) {
  for (ControlEffect& one : ablation.controls)
    if (one.control == control) return one;
  ablation.controls.push_back({control, {}, {}, {}});
  return ablation.controls.back();
}

}  // namespace

std::vector<Ablation> ablations(const json& document) {
  std::vector<Ablation> result;
  for (const json& comparison : document.at("comparisons")) {
    const Switched before = switched(comparison.at("baseline")), after = switched(comparison.at("candidate"));
    if (before.configuration != after.configuration) continue;
    const bool from_all_on = before.off.empty() && before.on.empty();
    if (!(from_all_on && !after.off.empty()) && after.on.empty()) continue;
    Ablation& ablation = ablation_of(result, comparison, before.configuration);
    if (after.off == "all") {
      ablation.everything = effect_of(comparison, true);
      ablation.all_on = median_of(document, ablation, comparison.at("baseline"));
      ablation.all_off = median_of(document, ablation, comparison.at("candidate"));
    } else if (!after.off.empty()) {
      effect_on(ablation, after.off).alone_off = effect_of(comparison, true);
    } else {
      ControlEffect& one = effect_on(ablation, added(before.on, after.on));
      one.alone_on = effect_of(comparison, false);
      one.needs = before.on;
    }
  }
  return result;
}

std::vector<LeftOut> left_out(const json& document) {
  std::set<std::string> measured;
  for (const Ablation& ablation : ablations(document))
    for (const ControlEffect& one : ablation.controls) measured.insert(one.control);
  std::vector<LeftOut> result;
  for (const json& control : document.at("controls"))
    if (!measured.contains(control.at("name"))) result.push_back({control.at("name"), control.at("reason")});
  return result;
}

}  // namespace assay::harness
