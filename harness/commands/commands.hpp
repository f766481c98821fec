#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "harness/cases/program.hpp"
#include "harness/commands/case_options.hpp"

namespace CLI {
class App;
}

namespace assay::harness {

/// Exit codes of every command, in order of precedence (docs/exit_codes.md).
enum Exit : int {
  exit_ok = 0,
  exit_regression = 1,
  exit_usage = 2,
  exit_failed_case = 3,
  exit_nothing_measured = 4,
  exit_environment = 5,
  exit_interrupted = 130
};

/// Parses the command line, runs the command and returns its exit code. All that a program's main() calls.
int run_main(int argc, char** argv, const Program& program);

/// The project's folder: ASSAY_HOME, which the launcher sets, else found from where the executable lies
/// (build/PRESET/assay).
std::filesystem::path project_folder();

// One file a subcommand. Each adds itself to the app; its callback stores the exit code in `code`.
void add_run(CLI::App& app, const Program& program, int& code);
void add_reproduce(CLI::App& app, const Program& program, int& code);
void add_list(CLI::App& app, const Program& program, int& code);
void add_controls(CLI::App& app, const Program& program, int& code);
void add_ablate(CLI::App& app, const Program& program, int& code);
void add_explain(CLI::App& app, const Program& program, int& code);
void add_report(CLI::App& app, const Program& program, int& code);
void add_gate(CLI::App& app, const Program& program, int& code);
void add_calibrate(CLI::App& app, const Program& program, int& code);
void add_doctor(CLI::App& app, const Program& program, int& code);
void add_compare(CLI::App& app, const Program& program, int& code);
void add_cases(CLI::App& app, const Program& program, int& code);
void add_case(CLI::App& app, const Program& program, int& code);

/// Draws the report of a run folder by `python -m plots`, which says on standard error what is wrong and nothing on
/// standard output. Its exit code: 0 drawn, 2 the folder or its document cannot be used, 5 Python or a package is
/// missing or drawing broke, 130 interrupted.
int draw_report(const std::filesystem::path& run, const std::vector<std::string>& more);

}  // namespace assay::harness
