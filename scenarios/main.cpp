// The program `assay`: gives the harness its scenarios, profiles and controls.
#include "engine/controls/controls.hpp"
#include "engine/data/data_error.hpp"
#include "engine/data/mnist.hpp"
#include "engine/kernels/settings.hpp"
#include "harness/commands/commands.hpp"
#include "harness/machine/environment.hpp"
#include "scenarios/build_info.hpp"
#include "scenarios/profiles.hpp"
#include "scenarios/selftest/selftest.hpp"

namespace assay::scenarios {
#define ASSAY_SCENARIO(name) harness::Scenario name##_scenario();
#include "scenarios/scenarios.def"
#undef ASSAY_SCENARIO
}  // namespace assay::scenarios

namespace {

namespace engine = assay::engine;
namespace harness = assay::harness;
namespace scenarios = assay::scenarios;

std::vector<harness::ControlInfo> controls(const std::vector<std::string>& off) {
  std::vector<harness::ControlInfo> entries;
  const auto states = engine::control_states(engine::ControlSet::without(off));
  const auto table = engine::control_table();
  for (std::size_t i = 0; i < table.size(); ++i) {
    harness::ControlInfo entry{std::string(table[i].name),
                               std::string(table[i].summary),
                               states[i].on,
                               states[i].acts,
                               states[i].reason,
                               {},
                               {},
                               {}};
    if (!table[i].environment_name.empty()) {
      entry.environment_on[std::string(table[i].environment_name)] = table[i].environment_on;
      entry.environment_off[std::string(table[i].environment_name)] = table[i].environment_off;
    }
    for (const engine::Control needed : engine::required_controls(table[i].control))
      entry.needs.push_back(std::string(engine::name(needed)));
    entries.push_back(std::move(entry));
  }
  return entries;
}

void must_have(const std::filesystem::path& file, std::int64_t rows, std::int64_t needed) {
  if (rows >= needed) return;
  throw engine::DataError(file.string() + ": expected at least " + std::to_string(needed) +
                          " rows, which the protocols use, found " + std::to_string(rows));
}

std::string from_environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

// Libraries read the environment in their constructors, and libgomp binds the process to a CPU there. The dynamic
// linker calls what .preinit_array holds before any of them.
void clear_environment(int, char**, char** environment) { harness::clear_own_environment(environment); }
[[gnu::section(".preinit_array"), gnu::used]] void (*const before_libraries)(int, char**, char**) = clear_environment;

}  // namespace

int main(int argc, char** argv) {
  harness::Program program;
  program.version = ASSAY_VERSION;
  program.commit = from_environment("ASSAY_COMMIT").empty() ? "unknown" : from_environment("ASSAY_COMMIT");
  program.dirty = !from_environment("ASSAY_DIRTY").empty();
  program.build = scenarios::build_info();
#define ASSAY_SCENARIO(name) program.scenarios.push_back(scenarios::name##_scenario());
#include "scenarios/scenarios.def"
#undef ASSAY_SCENARIO
  if (!from_environment("ASSAY_SELFTEST").empty()) program.scenarios.push_back(scenarios::selftest_scenario());
  program.profiles = scenarios::profiles(program.scenarios);
  program.controls = controls;
  program.prepare = [](const harness::Parameters& parameters) {
    const auto controls_on = engine::ControlSet::without(parameters.off);
    engine::apply_controls(controls_on, parameters.threads);
    engine::set_settings({.threads = parameters.threads, .controls = controls_on});
  };
  program.default_data = harness::project_folder() / "data/mnist";
  program.check_data = [profiles = program.profiles](const std::filesystem::path& folder) {
    try {
      // The protocols' rows, so that too few of them are known before anything is measured.
      const auto data = engine::mnist::load(folder);
      must_have(engine::mnist::find_file(folder, "train-images-idx3-ubyte"), data.training.rows(),
                scenarios::max_length(profiles, "rows"));
      must_have(engine::mnist::find_file(folder, "t10k-images-idx3-ubyte"), data.test.rows(),
                scenarios::max_length(profiles, "test_rows"));
    } catch (const engine::DataError& error) {
      throw harness::DataError(error.what());
    }
  };
  return harness::run_main(argc, argv, program);
}
