#pragma once
#include <cstdint>

namespace assay::harness {

/// Descriptors that the supervisor works with; everything else is closed in it and in the program.
struct SupervisorPipes {
  int control;   // read end: 'T' terminate, 'K' kill; its end of file means that the harness died
  int status;    // write end: one SupervisorReport each time something is known
  int exec;      // write end: closed by the successful exec, else errno is written
  int out, err;  // become descriptors 1 and 2 of the program
};

/// Written to `status` when the whole tree has ended.
struct SupervisorReport {
  int wait_status;
  int left_behind;
  std::int64_t voluntary, involuntary;
};

/// What the program needs, prepared before the fork: nothing is allocated after it.
struct SupervisorCommand {
  char* const* argv;
  char* const* envp;
  const void* cpu_set;  // null: unchanged
  unsigned long cpu_set_size;
};

/// The body of the supervisor process, called in the child of a fork; never returns.
[[noreturn]] void supervise(const SupervisorCommand& command, const SupervisorPipes& pipes);

}  // namespace assay::harness
