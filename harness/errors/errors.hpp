#pragma once
#include <stdexcept>
#include <string>

namespace assay::harness {

/// An error that ends the command, with its exit code (docs/exit_codes.md).
class CommandError : public std::runtime_error {
 public:
  CommandError(int exit_code, const std::string& message) : std::runtime_error(message), code(exit_code) {}
  int code;
};

/// A wrong command line: names the option, what was expected and what was found. Exit 2.
class UsageError : public CommandError {
 public:
  explicit UsageError(const std::string& message) : CommandError(2, message) {}
};

/// Unusable data: names the file, what was expected and what was found. Exit 2.
class DataError : public CommandError {
 public:
  explicit DataError(const std::string& message) : CommandError(2, message) {}
};

}  // namespace assay::harness
