#pragma once
#include <span>
#include <string_view>

namespace assay::harness {

/// What happens to an environment variable that a library or a tool reads.
enum class Handling {
  cleared,   // removed: it would change a result, or break a run, without a trace
  set,       // replaced by the harness in what it starts
  reported,  // left as it is; the doctor shows it and the run document records it
};

std::string_view name_of(Handling handling);

struct EnvironmentRule {
  std::string_view name;  // a trailing * stands for any ending
  Handling handling;
  std::string_view reader;  // the library or tool that reads it
  std::string_view reason;
  std::string_view value = {};  // what `set` sets; empty where the program's catalogue says what
};

/// The one list of decisions. The first rule that matches a name counts; a variable without a rule is passed on.
std::span<const EnvironmentRule> environment_table();

/// The rule of a variable; null where there is none. Allocates nothing, so that it may run before main.
const EnvironmentRule* rule_of(std::string_view name);

}  // namespace assay::harness
