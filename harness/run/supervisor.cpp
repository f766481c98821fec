#include "harness/run/supervisor.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>

// Runs between fork and exec of a process that may have threads: system calls only, no allocation, no locks.
namespace assay::harness {
namespace {

constexpr std::int64_t grace_ms = 1000;  // between SIGTERM and SIGKILL

std::int64_t now_ms() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<std::int64_t>(now.tv_sec) * 1000 + now.tv_nsec / 1000000;
}

void close_between(unsigned first, unsigned last) {
  if (syscall(SYS_close_range, first, last, 0) == 0) return;
  for (unsigned descriptor = first; descriptor <= last && descriptor < 4096; ++descriptor)  // before Linux 5.9
    close(static_cast<int>(descriptor));
}

void close_all_but(const SupervisorPipes& pipes) {
  int keep[] = {pipes.control, pipes.status, pipes.exec, pipes.out, pipes.err};
  for (int i = 1; i < 5; ++i)
    for (int j = i; j > 0 && keep[j] < keep[j - 1]; --j) {
      const int swapped = keep[j];
      keep[j] = keep[j - 1];
      keep[j - 1] = swapped;
    }
  unsigned first = 3;
  for (const int descriptor : keep) {
    const auto kept = static_cast<unsigned>(descriptor);
    if (kept > first) close_between(first, kept - 1);
    if (kept >= first) first = kept + 1;
  }
  close_between(first, ~0U);
}

[[noreturn]] void become_program(const SupervisorCommand& command, const SupervisorPipes& pipes, pid_t supervisor,
                                 const sigset_t& no_signals) {
  setsid();
  prctl(PR_SET_PDEATHSIG, SIGKILL);  // the supervisor's death ends at least the program itself
  if (getppid() != supervisor) _exit(127);
  for (int number = 1; number < 32; ++number) signal(number, SIG_DFL);
  sigprocmask(SIG_SETMASK, &no_signals, nullptr);
  if (command.cpu_set) sched_setaffinity(0, command.cpu_set_size, static_cast<const cpu_set_t*>(command.cpu_set));
  const int null = open("/dev/null", O_RDONLY | O_CLOEXEC);
  dup2(null, STDIN_FILENO);
  dup2(pipes.out, STDOUT_FILENO);
  dup2(pipes.err, STDERR_FILENO);
  execvpe(command.argv[0], command.argv, command.envp);
  const int error = errno;
  if (write(pipes.exec, &error, sizeof error) != sizeof error) _exit(126);
  _exit(127);
}

/// Our children by /proc/self/task/PID/children: every orphan of the tree becomes one, since we are its subreaper.
template <class Visit>
void each_child(Visit visit) {
  char path[64] = "/proc/self/task/";
  char digits[16];
  int length = 0;
  for (pid_t rest = getpid(); rest > 0; rest /= 10) digits[length++] = static_cast<char>('0' + rest % 10);
  char* end = path + 16;
  while (length > 0) *end++ = digits[--length];
  for (const char* tail = "/children"; (*end++ = *tail++) != '\0';) {
  }
  const int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return;
  char block[4096];
  pid_t child = 0;
  for (ssize_t count; (count = read(file, block, sizeof block)) > 0;)
    for (ssize_t i = 0; i < count; ++i) {
      if (block[i] >= '0' && block[i] <= '9') {
        child = child * 10 + (block[i] - '0');
      } else if (child > 0) {
        visit(child);
        child = 0;
      }
    }
  if (child > 0) visit(child);
  close(file);
}

/// Kills level after level: what a killed child leaves becomes ours. Returns how many there were.
int kill_all(pid_t program, int& program_status, rusage& usage) {
  int killed = 0;
  while (true) {
    each_child([](pid_t child) { kill(child, SIGKILL); });
    int status = 0;
    rusage used{};
    const pid_t gone = wait4(-1, &status, WNOHANG, &used);
    if (gone < 0 && errno == ECHILD) return killed;
    if (gone <= 0) {
      poll(nullptr, 0, 1);
      continue;
    }
    if (gone == program) {
      program_status = status;
      usage = used;
    } else {
      ++killed;
    }
  }
}

}  // namespace

void supervise(const SupervisorCommand& command, const SupervisorPipes& pipes) {
  setsid();  // Ctrl-C in a terminal is the harness's affair
  sigset_t all, all_but_child, none;
  sigfillset(&all);
  sigfillset(&all_but_child);
  sigdelset(&all_but_child, SIGCHLD);  // its only use is to end ppoll
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &all, nullptr);
  signal(SIGCHLD, [](int) {});
  prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
  close_all_but(pipes);

  const pid_t self = getpid();
  const pid_t program = fork();
  if (program == 0) become_program(command, pipes, self, none);
  if (program < 0) {
    const int error = errno;
    if (write(pipes.exec, &error, sizeof error) != sizeof error) _exit(126);
    _exit(127);
  }
  close(pipes.exec);
  close(pipes.out);
  close(pipes.err);

  SupervisorReport report{};
  rusage usage{};
  std::int64_t kill_at = -1;
  for (bool running = true; running;) {
    siginfo_t gone{};
    if (waitid(P_PID, static_cast<id_t>(program), &gone, WEXITED | WNOHANG | WNOWAIT) == 0 && gone.si_pid == program)
      break;
    pollfd control{pipes.control, POLLIN, 0};
    const std::int64_t left = kill_at > now_ms() ? kill_at - now_ms() : 0;
    const timespec wait{static_cast<time_t>(left / 1000), static_cast<long>(left % 1000) * 1000000};
    if (ppoll(&control, 1, kill_at < 0 ? nullptr : &wait, &all_but_child) > 0) {
      char order = 'K';
      if (read(pipes.control, &order, 1) <= 0) order = 'K';
      if (order == 'K') running = false;
      if (order == 'T' && kill_at < 0) {
        kill(-program, SIGTERM);
        each_child([&](pid_t child) {
          if (child != program) kill(child, SIGTERM);
        });
        kill_at = now_ms() + grace_ms;
      }
    }
    if (kill_at >= 0 && now_ms() >= kill_at) running = false;
  }
  kill(-program, SIGKILL);
  report.left_behind = kill_all(program, report.wait_status, usage);
  report.voluntary = usage.ru_nvcsw;
  report.involuntary = usage.ru_nivcsw;
  if (write(pipes.status, &report, sizeof report) != sizeof report) _exit(1);
  _exit(0);
}

}  // namespace assay::harness
