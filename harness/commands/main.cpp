#include <unistd.h>

#include <CLI/CLI.hpp>
#include <iostream>
#include <system_error>

#include "harness/commands/commands.hpp"
#include "harness/commands/standard_output.hpp"
#include "harness/commands/strict_options.hpp"
#include "harness/errors/errors.hpp"
#include "harness/text/spelling_suggestion.hpp"

namespace assay::harness {
namespace {

/// CLI11 says that a name is wrong; this adds the nearest right one. `argv` holds the wrong name first met.
std::string explain(const CLI::App& app, const CLI::Error& error, const std::vector<std::string>& arguments) {
  const auto subcommands = app.get_subcommands([](const CLI::App* sub) { return !sub->get_group().empty(); });
  std::vector<std::string> names;
  for (const auto* sub : subcommands) names.push_back(sub->get_name());
  const auto chosen = app.get_subcommands();
  if (chosen.empty()) {
    for (const auto& argument : arguments) {
      if (!argument.starts_with("-")) return unknown_name("command", argument, names);
    }
    return error.what();
  }
  std::vector<std::string> options;
  for (const auto* option : chosen.front()->get_options()) {
    for (const auto& name : option->get_lnames()) options.push_back("--" + name);
  }
  for (const auto& argument : arguments) {
    const auto name = argument.substr(0, argument.find('='));
    if (name.starts_with("--") && std::find(options.begin(), options.end(), name) == options.end()) {
      return unknown_name("option", name, options) + " (assay " + chosen.front()->get_name() + " --help lists them)";
    }
  }
  return error.what();
}

int parse_and_run(int argc, char** argv, const Program& program) {
  CLI::App app{"Tells which deep-learning performance advice holds on this machine.", program.name};
  app.footer(
      "Also: kernels (operations under Google Benchmark's flags), peers (list and install other frameworks), test "
      "(build and run all tests), check (format and lint), format.\n"
      "Exit codes: 0 done, 1 a regression or an expectation not met, 2 usage, 3 a case failed, 4 nothing measured,\n"
      "5 the environment cannot give a valid answer.\n"
      "Example: ./assay run tracing --profile quick");
  app.set_version_flag("--version",
                       program.name + " " + program.version + " " + program.commit + (program.dirty ? " (dirty)" : ""));
  app.require_subcommand(1);
  int code = exit_ok;
  add_run(app, program, code);
  add_ablate(app, program, code);
  add_explain(app, program, code);
  add_reproduce(app, program, code);
  add_gate(app, program, code);
  add_compare(app, program, code);
  add_doctor(app, program, code);
  add_calibrate(app, program, code);
  add_report(app, program, code);
  add_list(app, program, code);
  add_controls(app, program, code);
  add_cases(app, program, code);
  add_case(app, program, code);
  make_options_strict(app);

  const std::vector<std::string> arguments(argv + 1, argv + argc);
  try {
    app.parse(argc, argv);
    return code;
  } catch (const CLI::Success& success) {  // --help and --version
    return app.exit(success);
  } catch (const CLI::ParseError& error) {
    std::cerr << "assay: " << explain(app, error, arguments) << "\n";
    if (arguments.empty()) std::cerr << app.help();
    return exit_usage;
  } catch (const CommandError& error) {
    std::cerr << "assay: " << error.what() << "\n";
    return error.code;
  } catch (const std::system_error& error) {  // of a file, a pipe, a process
    std::cerr << "assay: " << error.what() << "\n";
    return exit_environment;
  } catch (const std::exception& error) {
    std::cerr << "assay: internal error: " << error.what() << "\n";
    return exit_environment;
  }
}

}  // namespace

std::filesystem::path project_folder() {
  if (const char* set = std::getenv("ASSAY_HOME"); set != nullptr && *set != '\0') return set;
  return std::filesystem::read_symlink("/proc/self/exe").parent_path().parent_path().parent_path();
}

int run_main(int argc, char** argv, const Program& program) {
  keep_standard_descriptors();
  return code_of_output(parse_and_run(argc, argv, program));
}

}  // namespace assay::harness
