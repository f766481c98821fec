#pragma once
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace assay::harness {

/// Removes the variables that the table (environment_table.hpp) clears from a null-terminated array of NAME=VALUE, in
/// place; those whose name starts with `kept` stay (none where it is empty). Puts what it removed into `removed` as far
/// as that reaches, and returns how many there were. Allocates nothing.
std::size_t clear_variables(char** environment, std::string_view kept, std::span<const char*> removed);

/// The same for this process. A main program calls it before any library is initialised (see scenarios/main.cpp),
/// since libraries read the environment in their constructors: libgomp even binds the process to a CPU. Does nothing
/// where ASSAY_CLEARED says that the launcher or the harness did it already.
void clear_own_environment(char** environment, std::string_view kept = {});

/// The environment of a program that the harness starts, as NAME=VALUE: this process's by the rules of the table, then
/// `additions`, which win.
std::vector<std::string> child_environment(const std::map<std::string, std::string>& additions);

/// What the environment means for results.
struct EnvironmentReport {
  std::vector<std::string> cleared;             // names, sorted
  std::map<std::string, std::string> reported;  // those that act, with their values
};

EnvironmentReport environment_report();

}  // namespace assay::harness
