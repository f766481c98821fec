#include "harness/gate/calibration.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <set>

#include "harness/errors/errors.hpp"
#include "harness/gate/minimum_detectable_effect.hpp"
#include "harness/gate/stages.hpp"
#include "harness/json/json_place.hpp"
#include "harness/stats/proportion.hpp"

namespace assay::harness {
namespace {

using nlohmann::json;
using Key = std::pair<std::string, std::string>;

constexpr int calibration_schema = 1;
constexpr std::size_t min_pairs = 16;

double six_digits(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.6g", value);
  return std::strtod(text, nullptr);
}

json row_of(const Proportion& p) {
  return {{"count", p.successes}, {"of", p.trials}, {"low", p.low}, {"high", p.high}};
}

/// How many benchmarks and gates raised a false alarm of one kind.
struct Alarms {
  int benchmarks = 0, gates = 0;
};

json alarms_row(const Alarms& alarms, int benchmarks, int gates, double bound) {
  const auto row = [](int count, int of, double at_most) {
    json result = row_of(proportion(count, of));
    result["bound"] = of > 0 ? std::min(1.0, at_most / of) : 0.0;
    return result;
  };
  return {{"benchmarks", row(alarms.benchmarks, benchmarks, bound)}, {"gates", row(alarms.gates, gates, bound)}};
}

/// The bound of one try. Its stage 2 confirms as in a gate of at least 20 times.
FalseAlarmBound bound_of(const json& one) {
  const int times = static_cast<int>(one.at("benchmarks").size());
  return false_alarm_bound(times, default_looks(), confirming_counts(std::max(times, benchmarks_of_a_gate)));
}

bool is_alarm(const json& benchmark) {
  return benchmark.at("verdict") == "regressed" || benchmark.at("verdict") == "improved";
}

/// Everything that the tries say of one benchmark.
struct Known {
  Preset declared;
  std::vector<double> log_ratios;  // of pairs of equal processes
  int measured = 0, alarms = 0;
};

void add_pairs(Known& known, const json& rounds, bool changed) {
  for (const json& round : rounds) {
    known.log_ratios.push_back(std::log(round.at(1).get<double>() / round.at(0).get<double>()));
    if (!changed) known.log_ratios.push_back(std::log(round.at(3).get<double>() / round.at(2).get<double>()));
  }
}

json benchmark_row(const Key& key, const Known& known) {
  const double noise = noise_of(known.log_ratios);
  auto preset = fitting_preset(noise, known.declared);
  std::string reason;
  if (!preset) reason = "too noisy to gate: even " + percent_text(presets().back().margin) + " would not be seen";
  if (preset && known.alarms > 0) {
    reason = "alarmed " + std::to_string(known.alarms) + " of " + std::to_string(known.measured) +
             " times where nothing had changed: one preset coarser";
    preset = coarser(preset->floor);
    if (!preset) reason = "too noisy to gate: " + reason;
  }
  const Preset shown = preset.value_or(known.declared);
  return {{"configuration", key.first},
          {"metric", key.second},
          {"pairs", known.log_ratios.size()},
          {"noise", noise},
          {"minimum_detectable_effect", detectable_effect_at(noise, shown)},
          {"processes", 4 * (default_looks().back().rounds + stage_two_rounds)},
          {"measured", known.measured},
          {"alarms", known.alarms},
          {"preset", preset ? json{{"floor", preset->floor}, {"margin", preset->margin}} : json(nullptr)},
          {"reason", reason}};
}

void check_try(const JsonPlace& one) {
  if (one.at("schema").whole() != calibration_schema) one.at("schema").fail("1", one.at("schema").value().dump());
  one.at("slower").number();
  one.at("exit").whole();
  one.at("threads").whole(1, 1 << 20);
  one.at("commit").text();
  one.at("benchmarks").each([](const JsonPlace& benchmark) {
    for (const char* field : {"configuration", "metric", "verdict"}) benchmark.at(field).text();
    for (const char* field : {"floor", "margin"}) benchmark.at("preset").at(field).number();
    benchmark.at("stage");
    benchmark.at("rounds").each([](const JsonPlace& round) {
      const auto samples = round.list([](const JsonPlace& sample) { return sample.number(); });
      if (samples.size() != 4) round.fail("four samples", std::to_string(samples.size()));
    });
  });
}

}  // namespace

std::vector<json> read_tries(const std::filesystem::path& file) {
  std::ifstream in(file);
  std::vector<json> tries;
  for (std::string line; std::getline(in, line) && !in.eof();) {  // a last line without its end is torn
    try {
      json one = parse_json(line);
      check_try(JsonPlace(one, ""));
      tries.push_back(std::move(one));
    } catch (const JsonError& error) {
      throw CommandError(5, file.string() + ", line " + std::to_string(tries.size() + 1) + ": " + error.what() +
                                "; move the file away to start anew");
    }
  }
  return tries;
}

json try_of(const json& document, double slower) {
  json benchmarks = json::array();
  for (const json& row : document.at("gate").at("benchmarks")) {
    if (row.at("exact").get<bool>()) continue;
    json rounds = json::array();
    for (const json& one : row.at("samples"))
      rounds.push_back({six_digits(one.at("baseline")), six_digits(one.at("null")),
                        six_digits(one.at("candidate").at(0)), six_digits(one.at("candidate").at(1))});
    benchmarks.push_back({{"configuration", row.at("configuration")},
                          {"metric", row.at("metric")},
                          {"preset", row.at("preset")},
                          {"verdict", row.at("verdict")},
                          {"reason", row.at("reason")},
                          {"stage", row.at("stage")},
                          {"stage_1_rounds", row.at("rounds").at("stage_1")},
                          {"rounds", rounds}});
  }
  return {{"schema", calibration_schema},
          {"created", document.at("created")},
          {"commit", document.at("assay").at("commit")},
          {"slower", slower},
          {"exit", document.at("gate").at("exit").at("code")},
          {"threads", document.at("options").at("threads")},
          {"null_p", document.at("gate").at("null_control").at("p")},
          {"steal_percent", document.at("gate").at("median_steal_percent")},
          {"benchmarks", benchmarks}};
}

double noise_of(const std::vector<double>& log_ratios) {
  if (log_ratios.size() < 4) return 0;
  std::vector<double> sizes;
  sizes.reserve(log_ratios.size());
  for (const double one : log_ratios)
    sizes.push_back(std::abs(one));  // the two of a pair are interchangeable, so the ratios are symmetric about 0
  const auto middle = sizes.begin() + static_cast<std::ptrdiff_t>(sizes.size() / 2);
  std::nth_element(sizes.begin(), middle, sizes.end());
  constexpr double normal_quartile = 0.6745;
  return *middle / normal_quartile / std::sqrt(2.0);
}

// The median of all differences within rounds has about the spread noise / sqrt(rounds) (of 2n against 2n processes, as
// Hodges and Lehmann's estimate), and at 16 rounds the interval ends 2.44 spreads from it: P16(T >= 45) = 0.73 %.
double detectable_effect_at(double noise, const Preset& preset) {
  constexpr double rounds = 16, spreads = 2.44;
  return minimum_detectable_effect(spreads * noise / std::sqrt(rounds), preset);
}

std::optional<Preset> fitting_preset(double noise, const Preset& declared) {
  std::vector<Preset> choices{declared};
  for (auto next = coarser(declared.floor); next; next = coarser(next->floor)) choices.push_back(*next);
  for (const Preset& preset : choices)
    if (detectable_effect_at(noise, preset) <= preset.margin) return preset;
  return std::nullopt;
}

bool judged(const json& benchmark) {
  return benchmark.at("verdict") != "invalid" && benchmark.at("verdict") != "skipped";
}

bool counts(const json& one) {
  return (one.at("exit") == 0 || one.at("exit") == 1) && std::ranges::any_of(one.at("benchmarks"), judged);
}

json calibration_of(const std::vector<json>& tries, const json& machine, int threads) {
  std::map<Key, Known> known;
  std::map<double, std::map<std::string, int>> verdicts;  // by what was injected
  std::map<double, int> processes;
  int gates = 0, candidates = 0, unfit_gates = 0, broken_gates = 0;
  Alarms regressed, changed;
  FalseAlarmBound expected;  // the expected number of false alarms is at most this sum over the gates
  std::set<std::string> commits;
  for (const json& one : tries) {
    if (one.at("threads") != threads) continue;
    const double slower = one.at("slower");
    commits.insert(one.at("commit").get<std::string>());
    if (!counts(one)) {
      ++(one.at("exit") == 5 ? unfit_gates : broken_gates);  // 5: the gate withdrew its verdicts
      continue;
    }
    bool slow = false, alarm = false;
    for (const json& benchmark : one.at("benchmarks")) {
      if (!judged(benchmark)) continue;
      Known& entry = known[{benchmark.at("configuration"), benchmark.at("metric")}];
      entry.declared = {benchmark.at("preset").at("floor"), benchmark.at("preset").at("margin")};
      add_pairs(entry, benchmark.at("rounds"), slower > 0);
      ++verdicts[slower][benchmark.at("verdict")];
      processes[slower] += 4 * static_cast<int>(benchmark.at("rounds").size());
      if (slower > 0) continue;
      ++entry.measured;
      entry.alarms += is_alarm(benchmark);
      candidates += benchmark.at("stage") == 2;
      slow = slow || benchmark.at("verdict") == "regressed";
      alarm = alarm || is_alarm(benchmark);
    }
    if (slower > 0) continue;
    ++gates;
    regressed.gates += slow;
    changed.gates += alarm;
    expected.regressed += bound_of(one).regressed;
    expected.regressed_or_improved += bound_of(one).regressed_or_improved;
  }
  json injected = json::array(), benchmarks = json::array();
  int unchanged = 0;
  for (auto& [slower, counts] : verdicts) {
    int all = 0;
    for (const auto& [verdict, count] : counts) all += count;
    if (slower == 0) {
      unchanged = all;
      regressed.benchmarks = counts["regressed"];
      changed.benchmarks = counts["regressed"] + counts["improved"];
      continue;
    }
    injected.push_back({{"slower", slower},
                        {"found", row_of(proportion(counts["regressed"], all))},
                        {"same", counts["same"]},
                        {"undecided", counts["undecided"]},
                        {"processes_a_try", static_cast<double>(processes[slower]) / std::max(1, all)}});
  }
  for (const auto& [key, entry] : known)
    if (entry.log_ratios.size() >= min_pairs) benchmarks.push_back(benchmark_row(key, entry));
  return {{"schema", calibration_schema},
          {"machine", machine},
          {"threads", threads},
          {"commits", commits},
          {"false_alarms",
           {{"regressed", alarms_row(regressed, unchanged, gates, expected.regressed)},
            {"regressed_or_improved", alarms_row(changed, unchanged, gates, expected.regressed_or_improved)},
            {"candidates_of_stage_1", candidates},
            {"same", verdicts[0]["same"]},
            {"undecided", verdicts[0]["undecided"]},
            {"processes_a_benchmark", unchanged ? static_cast<double>(processes[0]) / unchanged : 0.0}}},
          {"gates_that_withdrew", unfit_gates},
          {"gates_that_broke", broken_gates},
          {"injected", injected},
          {"benchmarks", benchmarks}};
}

CalibratedPresets calibrated_presets(const std::filesystem::path& folder, int threads) {
  const auto path = folder / "calibration.json";
  std::ifstream file(path);
  CalibratedPresets result;
  if (!file) return result;
  try {
    const json document = parse_json(std::string(std::istreambuf_iterator<char>(file), {}));
    const JsonPlace place(document, "");
    if (place.at("schema").whole() != calibration_schema) place.at("schema").fail("1", document.at("schema").dump());
    if (place.at("threads").whole(1, 1 << 20) != threads) return result;
    place.at("benchmarks").each([&](const JsonPlace& row) {
      auto& preset = result[{row.at("configuration").text(), row.at("metric").text()}];
      if (row.at("preset").null()) return;
      preset = Preset{row.at("preset").at("floor").number(), row.at("preset").at("margin").number()};
      if (!(0 < preset->floor && preset->floor < preset->margin && preset->margin < 1))
        row.at("preset").fail("0 < floor < margin < 1", row.at("preset").value().dump());
    });
  } catch (const JsonError& error) {
    throw CommandError(5, path.string() + ": is no calibration: " + error.what() +
                              "; ./assay calibrate makes it anew from the tries beside it");
  }
  return result;
}

}  // namespace assay::harness
