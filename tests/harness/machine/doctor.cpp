#include "harness/machine/doctor.hpp"

#include <algorithm>

#include "harness/machine/gpu_clocks.hpp"
#include "tests/catch.hpp"

using namespace assay::harness;
using nlohmann::json;

namespace {

const json identity{{"cores", 4},
                    {"topology", {{"logical_cpus", 4}}},
                    {"limits", {{"cpus", nullptr}, {"memory_bytes", nullptr}}},
                    {"gpus", nullptr},
                    {"build", {{"flags", "-O3 -DNDEBUG -march=native sanitize= openmp=ON"}, {"optimized", true}}}};
const json quiet{{"governor", "performance"},
                 {"turbo", false},
                 {"smt", false},
                 {"load_average", {0.0, 0.0, 0.0}},
                 {"steal_share", 0.0},
                 {"cpu_busy_share", 0.01},
                 {"busy_processes", json::array()},
                 {"swap_used_bytes", 0},
                 {"transparent_huge_pages", "madvise"},
                 {"aslr", 2},
                 {"thermal_throttles", 0}};

Finding found(const std::vector<Finding>& findings, const std::string& name) {
  const auto one = std::find_if(findings.begin(), findings.end(), [&](const Finding& f) { return f.name == name; });
  REQUIRE(one != findings.end());
  return *one;
}

Finding with_state(const std::string& field, const json& value, const std::string& name) {
  json state = quiet;
  state[field] = value;
  return found(diagnose(identity, state, {}), name);
}

Finding with_identity(const std::string& pointer, const json& value, const std::string& name) {
  json other = identity;
  other[json::json_pointer(pointer)] = value;
  return found(diagnose(other, quiet, {}), name);
}

}  // namespace

TEST_CASE("a quiet machine is fit and has nothing to change") {
  const auto findings = diagnose(identity, quiet, {});
  CHECK(worst(findings) == Fitness::ok);
  CHECK(findings.size() == 15);
  for (const auto& one : findings) {
    CHECK(one.effect.empty());
    CHECK(one.command.empty());
    CHECK_FALSE(one.value.empty());
  }
}

TEST_CASE("what makes every answer worthless is unfit") {
  CHECK(with_state("steal_share", 0.021, "steal").fitness == Fitness::unfit);
  CHECK(with_state("steal_share", 0.02, "steal").fitness == Fitness::ok);
  CHECK(with_state("cpu_busy_share", 0.51, "load").fitness == Fitness::unfit);
  CHECK(with_identity("/build/optimized", false, "build").fitness == Fitness::unfit);
  CHECK(with_identity("/build/flags", "-O1 -march=native sanitize=thread openmp=OFF", "build").fitness ==
        Fitness::unfit);
  CHECK(with_identity("/limits/cpus", 0.5, "cgroup quota").fitness == Fitness::unfit);
}

TEST_CASE("what makes answers noisy is doubtful, what only explains them a note") {
  CHECK(with_state("cpu_busy_share", 0.2, "load").fitness == Fitness::doubtful);
  CHECK(with_state("governor", "powersave", "governor").fitness == Fitness::doubtful);
  CHECK(with_state("aslr", 0, "address randomisation").fitness == Fitness::doubtful);
  CHECK(with_state("turbo", true, "turbo").fitness == Fitness::note);
  CHECK(with_state("smt", true, "SMT").fitness == Fitness::note);
  CHECK(with_state("transparent_huge_pages", "always", "transparent huge pages").fitness == Fitness::note);
  CHECK(with_state("thermal_throttles", 3, "thermal state").fitness == Fitness::note);
  CHECK(with_state("swap_used_bytes", 1 << 20, "swap").fitness == Fitness::note);
  CHECK(with_identity("/limits/cpus", 1.5, "cgroup quota").fitness == Fitness::doubtful);
  CHECK(with_identity("/limits/cpus", 4, "cgroup quota").fitness == Fitness::ok);
  CHECK(with_identity("/topology/logical_cpus", 8, "processors").fitness == Fitness::note);
  const json busy = {{{"name", "video"}, {"pid", 42}, {"cores", 0.9}}};
  CHECK(with_state("busy_processes", busy, "heavy processes").command.find("42") != std::string::npos);
}

TEST_CASE("what matters says its effect, and how it is changed") {
  json bad = quiet;
  bad.update({{"governor", "powersave"},
              {"turbo", true},
              {"smt", true},
              {"steal_share", 0.1},
              {"cpu_busy_share", 0.9},
              {"aslr", 0},
              {"swap_used_bytes", 4096}});
  for (const auto& one : diagnose(identity, bad, {{}, {{"LD_PRELOAD", "/x.so"}}})) {
    if (one.fitness == Fitness::ok) continue;
    CHECK_FALSE(one.effect.empty());
    CHECK_FALSE(one.command.empty());
  }
}

TEST_CASE("what was cleared is said, and each variable that acts is a note") {
  const auto cleared = found(diagnose(identity, quiet, {{"GIT_DIR", "OMP_NUM_THREADS"}, {}}), "environment");
  CHECK(cleared.fitness == Fitness::ok);
  CHECK(cleared.value == "cleared: GIT_DIR, OMP_NUM_THREADS");
  const auto findings = diagnose(identity, quiet, {{}, {{"LD_PRELOAD", "/x.so"}, {"MALLOC_ARENA_MAX", "1"}}});
  REQUIRE(findings.size() == 17);
  CHECK(findings[15].value == "LD_PRELOAD=/x.so");
  CHECK(findings[15].fitness == Fitness::note);
  CHECK(findings[15].command == "unset LD_PRELOAD");
  CHECK(findings[16].effect.find("allocator") != std::string::npos);
}

TEST_CASE("a machine that tells nothing is noted, never judged") {
  const auto findings = diagnose(json::object(), json::object(), {});
  for (const auto& one : findings) CHECK(one.fitness <= Fitness::note);
  json unreadable{{"governor", nullptr}, {"unreadable", {{"governor", "no cpufreq"}}}};
  CHECK(found(diagnose(identity, unreadable, {}), "governor").value == "not readable: no cpufreq");
}

TEST_CASE("a GPU's clocks are read from one line") {
  CHECK(gpu_clock_text("NVIDIA H200, 345, 1980, 0x0000000000000001") == "NVIDIA H200: 345 of 1980 MHz, idle");
  CHECK(gpu_clock_text("NVIDIA H200, 1500, 1980, 0x0000000000000024") ==
        "NVIDIA H200: 1500 of 1980 MHz, power limit, software thermal slowdown");
  CHECK(gpu_clock_text("No devices were found") == "");
  CHECK(gpu_clock_text("NVIDIA H200, [N/A], 1980, 0x0") == "");
  json with_gpu = identity;
  with_gpu["gpus"] = {"NVIDIA H200"};
  CHECK(found(diagnose(with_gpu, quiet, {}), "GPU").fitness == Fitness::note);
}
