// The whole procedure against the noise of real machines: the rounds that `calibrate` recorded with nothing changed
// (results/machines/KEY/tries.jsonl), played again.
#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <map>
#include <random>

#include "harness/gate/calibration.hpp"
#include "tests/catch.hpp"
#include "tests/harness/gate/simulated_gate.hpp"

using namespace assay::harness;
using assay::tests::false_alarms;
using assay::tests::found_slower;
using nlohmann::json;

namespace {

using LogRound = std::array<double, 4>;

/// One benchmark of one machine: the preset that its calibration gives it, and its rounds in the order of measurement.
struct Recorded {
  Preset preset;
  std::vector<LogRound> rounds;
};

/// What `folder` says of its machine, without the benchmarks that it calls too noisy to gate.
std::vector<Recorded> recorded(const std::filesystem::path& folder) {
  const std::vector<json> tries = read_tries(folder / "tries.jsonl");
  std::map<std::pair<std::string, std::string>, std::vector<LogRound>> rounds;
  for (const json& one : tries) {
    if (one.at("slower") != 0 || !counts(one)) continue;
    for (const json& benchmark : one.at("benchmarks"))
      for (const json& round : benchmark.at("rounds")) {
        LogRound logs{};
        for (std::size_t i = 0; i < 4; ++i) logs[i] = std::log(round.at(i).get<double>());
        rounds[{benchmark.at("configuration"), benchmark.at("metric")}].push_back(logs);
      }
  }
  std::vector<Recorded> result;
  const json calibration =
      calibration_of(tries, {{"key", folder.filename().string()}}, tries.front().at("threads").get<int>());
  for (const json& row : calibration.at("benchmarks"))
    if (row.at("preset").is_object()) {
      const auto& of = rounds[{row.at("configuration"), row.at("metric")}];
      if (of.size() >= 16) result.push_back({{row.at("preset").at("floor"), row.at("preset").at("margin")}, of});
    }
  return result;
}

/// Draws a benchmark, and a round to start from; what follows is what followed then, so that slow spells stay whole.
/// The four samples of a round are shuffled: which of them ran first was drawn then too.
class Machine {
 public:
  Machine(std::vector<Recorded> benchmarks, std::uint64_t seed) : benchmarks_(std::move(benchmarks)), random_(seed) {}

  Preset begin_benchmark() {
    benchmark_ = draw(benchmarks_.size());
    next_ = draw(benchmarks_[benchmark_].rounds.size());
    return benchmarks_[benchmark_].preset;
  }
  GateRound round(double slower) {
    const auto& rounds = benchmarks_[benchmark_].rounds;
    LogRound logs = rounds[next_++ % rounds.size()];
    std::shuffle(logs.begin(), logs.end(), random_);
    return {std::exp(logs[0]), std::exp(logs[1]), std::exp(logs[2]) * (1 + slower), std::exp(logs[3]) * (1 + slower)};
  }

 private:
  std::size_t draw(std::size_t n) { return std::uniform_int_distribution<std::size_t>(0, n - 1)(random_); }

  std::vector<Recorded> benchmarks_;
  std::size_t benchmark_ = 0, next_ = 0;
  std::mt19937_64 random_;
};

std::vector<std::filesystem::path> machines() {
  std::vector<std::filesystem::path> folders;
  for (const auto& entry : std::filesystem::directory_iterator(ASSAY_SOURCE_DIR "/results/machines"))
    if (exists(entry.path() / "tries.jsonl")) folders.push_back(entry.path());
  std::ranges::sort(folders);
  return folders;
}

/// Those whose preset finds an effect of this size by its own account.
std::vector<Recorded> gated_at(std::vector<Recorded> benchmarks, const Preset& preset) {
  std::erase_if(benchmarks, [&](const Recorded& one) { return one.preset.floor > preset.floor; });
  return benchmarks;
}

}  // namespace

TEST_CASE("with the noise that was measured, a gate raises a false alarm in at most one run of a hundred") {
  REQUIRE_FALSE(machines().empty());
  for (const auto& folder : machines()) {
    INFO(folder);
    CHECK(false_alarms(Machine(recorded(folder), 1), 1500).regressed_or_improved.high < 0.01);
  }
}

TEST_CASE("with the noise that was measured, what is gated at 3 / 5 finds ten and five percent") {
  for (const auto& folder : machines()) {
    INFO(folder);
    const auto fine = gated_at(recorded(folder), {0.03, 0.05});
    REQUIRE_FALSE(fine.empty());
    CHECK(found_slower(Machine(fine, 2), 0.10, 1000).low > 0.95);
    CHECK(found_slower(Machine(fine, 3), 0.05, 1000).low > 0.80);
  }
}
