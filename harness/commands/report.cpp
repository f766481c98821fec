#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <csignal>
#include <iostream>

#include "harness/commands/commands.hpp"

namespace assay::harness {
namespace {

/// The variables that configure the user's Python (PYTHONHOME, PYTHONWARNINGS, …). The Python in .deps must not see
/// them.
std::vector<std::string> python_variables() {
  std::vector<std::string> names;
  for (char** entry = environ; *entry; ++entry) {
    const std::string_view text(*entry);
    if (text.starts_with("PYTHON")) names.emplace_back(text.substr(0, text.find('=')));
  }
  return names;
}

}  // namespace

int draw_report(const std::filesystem::path& run, const std::vector<std::string>& more) {
  const auto root = project_folder();
  const auto python = root / ".deps/python/bin/python";
  if (access(python.c_str(), X_OK) != 0) {
    std::cerr << "assay: no report: " << python.string()
              << " is missing; ./assay installs it where there is a network, and --no-report does without\n";
    return exit_environment;
  }
  std::vector<std::string> words{python.string(), "-m", "plots", std::filesystem::absolute(run).string()};
  words.insert(words.end(), more.begin(), more.end());
  std::vector<char*> arguments;
  for (auto& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);

  std::cout.flush();
  const pid_t child = fork();
  if (child == 0) {
    dup2(open("/dev/null", O_WRONLY | O_CLOEXEC), STDOUT_FILENO);
    for (const auto& name : python_variables()) unsetenv(name.c_str());
    if (chdir(root.c_str()) != 0) _exit(127);  // or Python would import a folder `plots` of the current folder
    setenv("PYTHONPATH", root.c_str(), 1);
    setenv("PYTHONDONTWRITEBYTECODE", "1", 1);
    execv(arguments[0], arguments.data());
    _exit(127);
  }
  int status = 0;
  while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
  if (child <= 0 || !WIFEXITED(status)) return exit_environment;
  const int code = WEXITSTATUS(status);
  const bool known = code == exit_ok || code == exit_usage || code == 128 + SIGINT;
  return known ? code : exit_environment;
}

void add_report(CLI::App& app, const Program&, int& code) {
  auto* command = app.add_subcommand("report", "draws a run's pages, tables and figures again from its run.json");
  command->footer("Example: ./assay report results/runs/20261130-070000-tracing");
  auto run = std::make_shared<std::string>();
  auto out = std::make_shared<std::string>();
  command->add_option("RUN", *run, "the folder of a run")->required();
  command->add_option("--out", *out, "where to write; the run's own folder report/ when left out");
  command->callback([run, out, &code] {
    if (!std::filesystem::exists(std::filesystem::path(*run) / "run.json")) {
      throw UsageError(*run + " holds no run.json: give the folder of a finished run (./assay run --resume " + *run +
                       " finishes one that was cut off)");
    }
    std::vector<std::string> more;
    if (!out->empty()) more = {"--out", std::filesystem::absolute(*out).string()};
    code = draw_report(*run, more);
    if (code == exit_ok) {
      const auto folder = out->empty() ? std::filesystem::path(*run) / "report" : std::filesystem::path(*out);
      std::cout << std::filesystem::absolute(folder / "index.html").lexically_normal().string() << "\n";
    }
  });
}

}  // namespace assay::harness
