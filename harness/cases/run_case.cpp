#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <system_error>

#include "harness/cases/catalogue.hpp"
#include "harness/cases/program.hpp"
#include "harness/cases/reporter.hpp"

namespace assay::harness {
namespace {

/// Keeps what standard output was for the events and points descriptor 1 at standard error while it lives, so that
/// the output of libraries does not mix with them.
class ProtocolDescriptor {
 public:
  ProtocolDescriptor() {
    std::cout.flush();
    std::fflush(stdout);
    kept_ = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
    if (kept_ < 0 || dup2(STDERR_FILENO, STDOUT_FILENO) < 0)
      throw std::system_error(errno, std::generic_category(), "keeping standard output for the protocol");
  }
  ~ProtocolDescriptor() {
    std::cout.flush();
    std::fflush(stdout);
    dup2(kept_, STDOUT_FILENO);
    close(kept_);
  }
  ProtocolDescriptor(const ProtocolDescriptor&) = delete;
  ProtocolDescriptor& operator=(const ProtocolDescriptor&) = delete;
  int get() const { return kept_; }

 private:
  int kept_ = -1;
};

const Case& body_of(const Program& program, const std::string& name) {
  for (const auto& scenario : program.scenarios)
    for (const auto& one : scenario.cases)
      if (scenario.name + "." + one->name == name) return *one;
  throw std::invalid_argument("no case '" + name + "'");
}

nlohmann::json states(const Program& program, const std::vector<std::string>& off) {
  nlohmann::json list = nlohmann::json::array();
  if (!program.controls) return list;
  for (const auto& c : program.controls(off))
    list.push_back({{"name", c.name}, {"on", c.on}, {"acts", c.acts}, {"reason", c.reason}});
  return list;
}

}  // namespace

int run_case(const Program& program, const Parameters& parameters) {
  // A gate pads each process's environment by a drawn length, which moves the stack; a copy moves the heap as well,
  // which address randomisation only does by whole pages.
  const char* const padding = std::getenv("ASSAY_PADDING");
  const std::string moves_the_heap = padding ? padding : "";
  const Case& one = body_of(program, parameters.case_name);
  const ProtocolDescriptor descriptor;
  Reporter report(descriptor.get(), parameters);
  try {
    if (program.prepare) program.prepare(parameters);
    report.start({{"name", program.name}, {"version", program.version}, {"commit", program.commit}},
                 states(program, parameters.off));
    one.body(parameters, report);
    report.finish("ok");
    return 0;
  } catch (const Skipped& skipped) {
    report.finish("skipped", skipped.what());
    return 0;
  } catch (const std::exception& error) {
    report.finish("failed", error.what());
  } catch (...) {
    report.finish("failed", "the case threw something that is no std::exception");
  }
  return 1;
}

}  // namespace assay::harness
