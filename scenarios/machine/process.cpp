#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <system_error>

#include "scenarios/machine/cases.hpp"

extern char** environ;  // POSIX: declared by no header

namespace assay::scenarios::machine {
namespace {

const char* program_that_does_nothing() {
  for (const char* path : {"/bin/true", "/usr/bin/true"})
    if (access(path, X_OK) == 0) return path;
  throw harness::Skipped("neither /bin/true nor /usr/bin/true can be run here");
}

// returns its exit code
int start_and_wait(const char* path) {
  pid_t child = 0;
  std::array<char*, 2> arguments{const_cast<char*>(path), nullptr};
  const int failed = posix_spawn(&child, path, nullptr, nullptr, arguments.data(), environ);
  if (failed != 0) throw std::system_error(failed, std::generic_category(), path);
  int status = 0;
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR) throw std::system_error(errno, std::generic_category(), "waitpid");
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

}  // namespace

void process(const harness::Parameters&, harness::Reporter& report) {
  const char* path = program_that_does_nothing();
  report.choose("process", {{"program", path}, {"started_by", "posix_spawn"}, {"until", "waitpid returns"}});
  if (!report.check("exit_code", start_and_wait(path), 0)) return;
  report.time("start", {}, [path] { start_and_wait(path); });
}

}  // namespace assay::scenarios::machine
