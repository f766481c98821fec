#include "harness/gate/calibration.hpp"

#include <cmath>
#include <fstream>
#include <random>

#include "tests/catch.hpp"

using namespace assay::harness;
using nlohmann::json;

namespace {

json one_benchmark(const std::string& verdict, int stage = 1, double spread = 0) {
  json rounds = json::array();
  for (int i = 0; i < 4; ++i) rounds.push_back({100, 100 * (1 + spread), 100, 100 * (1 + spread)});
  return {{"configuration", "toy.step"},
          {"metric", "step_time"},
          {"preset", {{"floor", 0.03}, {"margin", 0.05}, {"from", "declared"}}},
          {"verdict", verdict},
          {"reason", ""},
          {"stage", stage},
          {"stage_1_rounds", 4},
          {"rounds", rounds}};
}

json one_try(double slower, std::vector<json> benchmarks, int code = 0) {
  return {{"schema", 1},
          {"created", "2026-11-30T07:00:00Z"},
          {"commit", "abc"},
          {"slower", slower},
          {"exit", code},
          {"threads", 2},
          {"null_p", 0.5},
          {"steal_percent", 0.0},
          {"benchmarks", benchmarks}};
}

const json machine{{"key", "0123456789abcdef"}, {"identity", json::object()}};

}  // namespace

TEST_CASE("the noise of a process is read from pairs, the slow ones aside") {
  std::mt19937_64 random(5);
  std::normal_distribution<double> gauss(0, 0.02);
  std::vector<double> pairs;
  for (int i = 0; i < 4000; ++i) pairs.push_back(gauss(random) - gauss(random) + (i % 20 == 0 ? 0.4 : 0.0));
  CHECK(noise_of(pairs) == Approx(0.02).epsilon(0.12));  // 5 % of outliers move the quartile by a tenth
  CHECK(noise_of({0.1, 0.1, 0.1}) == 0);
}

TEST_CASE("a noisier benchmark gets a coarser preset, and one beyond all is not gated") {
  const Preset usual{0.03, 0.05};
  CHECK(fitting_preset(0.0, usual) == usual);
  CHECK(fitting_preset(0.01, usual) == usual);
  CHECK(fitting_preset(0.07, usual) == Preset{0.05, 0.08});
  CHECK(fitting_preset(0.12, usual) == Preset{0.10, 0.15});
  CHECK_FALSE(fitting_preset(0.3, usual));
  CHECK(fitting_preset(0.0, {0.05, 0.08}) == Preset{0.05, 0.08});  // never finer than declared
  CHECK(detectable_effect_at(0.0, usual) == 0.03);
  CHECK(detectable_effect_at(0.1, usual) == Approx(std::exp(1.34 * 2.44 * 0.1 / 4) - 1));
}

TEST_CASE("tries are counted with exact intervals") {
  std::vector<json> tries;
  for (int i = 0; i < 10; ++i) tries.push_back(one_try(0, {one_benchmark("same"), one_benchmark("same")}));
  tries.push_back(one_try(0, {one_benchmark("regressed", 2), one_benchmark("undecided")}, 1));
  tries.push_back(one_try(0, {one_benchmark("improved", 2), one_benchmark("same")}));
  for (int i = 0; i < 39; ++i) tries.push_back(one_try(0.05, {one_benchmark("regressed", 2)}, 1));
  tries.push_back(one_try(0.05, {one_benchmark("same")}));
  tries.push_back(one_try(0, {one_benchmark("invalid")}, 5));  // withdrew: does not count
  tries.push_back(one_try(0, {one_benchmark("invalid")}, 3));  // nor does what broke,
  tries.push_back(one_try(0, {}, 4));                          // measured nothing,
  tries.push_back(one_try(0, {one_benchmark("skipped")}));     // was left out,
  tries.push_back(one_try(0, {one_benchmark("regressed", 2)}, 1));
  tries.back()["threads"] = 1;  // or ran on another number of threads

  const json calibration = calibration_of(tries, machine, 2);
  const json& alarms = calibration.at("false_alarms");
  const json &slow = alarms.at("regressed"), &either = alarms.at("regressed_or_improved");
  CHECK(slow.at("benchmarks").at("count") == 1);
  CHECK(either.at("benchmarks").at("count") == 2);
  CHECK(slow.at("gates").at("count") == 1);
  CHECK(either.at("gates").at("count") == 2);
  for (const json* kind : {&slow, &either}) {
    CHECK(kind->at("benchmarks").at("of") == 24);
    CHECK(kind->at("gates").at("of") == 12);
  }
  // Each count has its own bound: a benchmark of a gate of 20, a gate of two of them.
  CHECK(slow.at("benchmarks").at("bound").get<double>() == Approx(0.0094 / 20).epsilon(0.005));
  CHECK(either.at("benchmarks").at("bound").get<double>() == Approx(0.0188 / 20).epsilon(0.005));
  CHECK(slow.at("gates").at("bound").get<double>() == Approx(2 * 0.0094 / 20).epsilon(0.005));
  CHECK(either.at("gates").at("bound").get<double>() == Approx(2 * 0.0188 / 20).epsilon(0.005));
  CHECK(alarms.at("undecided") == 1);
  CHECK(calibration.at("gates_that_withdrew") == 1);
  CHECK(calibration.at("gates_that_broke") == 3);
  const json& injected = calibration.at("injected").at(0);
  CHECK(injected.at("slower") == 0.05);
  CHECK(injected.at("found").at("count") == 39);
  CHECK(injected.at("found").at("of") == 40);
  CHECK(injected.at("found").at("low").get<double>() == Approx(0.8684).epsilon(1e-3));  // Clopper and Pearson, 39 of 40
  CHECK(injected.at("same") == 1);
  // An alarm where nothing changed: one preset coarser than the noise alone asks for.
  CHECK(calibration.at("benchmarks").at(0).at("preset") == json{{"floor", 0.05}, {"margin", 0.08}});
  const json none = calibration_of({}, machine, 2).at("false_alarms").at("regressed").at("benchmarks");
  CHECK(none.at("high") == 1.0);
  CHECK(none.at("bound") == 0.0);
}

TEST_CASE("tries are read back, a torn last line aside, and a damaged one is named") {
  const std::filesystem::path file = std::filesystem::temp_directory_path() / "assay-tries-test.jsonl";
  const std::string good = one_try(0, {one_benchmark("same")}).dump() + "\n";
  const auto write = [&](const std::string& text) { std::ofstream(file) << text; };
  write(good + good + good.substr(0, 40));
  CHECK(read_tries(file).size() == 2);
  CHECK(read_tries(file).front() == json::parse(good));
  for (const std::string bad : {"{}", "[]", "nonsense", R"({"schema": 2, "slower": 0})"}) {
    write(good + bad + "\n");
    CHECK_THROWS_WITH(read_tries(file), Catch::Matchers::Contains("line 2"));
  }
  std::filesystem::remove(file);
  CHECK(read_tries(file).empty());
}

TEST_CASE("the gate reads its presets from the calibration of as many threads, and refuses what is none") {
  const std::filesystem::path folder = std::filesystem::temp_directory_path() / "assay-calibration-test";
  std::filesystem::create_directories(folder);
  const auto write = [&](const std::string& text) { std::ofstream(folder / "calibration.json") << text; };
  const auto noisy = [](double spread) {
    return calibration_of({one_try(0, std::vector<json>(4, one_benchmark("same", 1, spread)))}, machine, 2);
  };
  write(noisy(0.1).dump());
  const CalibratedPresets presets = calibrated_presets(folder, 2);
  REQUIRE(presets.size() == 1);
  CHECK(presets.at({"toy.step", "step_time"})->floor > 0.03);
  CHECK(calibrated_presets(folder, 1).empty());
  write(noisy(1.0).dump());  // every other process takes twice as long
  CHECK_FALSE(calibrated_presets(folder, 2).at({"toy.step", "step_time"}));
  const json few = calibration_of({one_try(0, {one_benchmark("same")})}, machine, 2);
  CHECK(few.at("benchmarks").empty());  // 8 pairs say nothing of its noise
  json wrong = noisy(0.1);
  wrong["benchmarks"][0]["preset"] = {{"floor", 0.9}, {"margin", 0.1}};
  for (const std::string& text : {std::string(), std::string("{"), std::string("[]"), std::string("{\"schema\": 1}"),
                                  std::string("{\"schema\": 2}"), wrong.dump()}) {
    write(text);
    CHECK_THROWS_WITH(calibrated_presets(folder, 2), Catch::Matchers::Contains("calibration.json: is no calibration"));
  }
  std::filesystem::remove_all(folder);
  CHECK(calibrated_presets(folder, 2).empty());
}
