#pragma once
#include <stdexcept>
#include <string>

namespace assay::harness {

/// A run that cannot begin or go on, with the exit code of the command: 2 usage, 5 the environment cannot give a valid
/// answer.
class RunError : public std::runtime_error {
 public:
  RunError(int exit_code, const std::string& message) : std::runtime_error(message), code(exit_code) {}
  int code;
};

}  // namespace assay::harness
