#include "harness/run/process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <system_error>
#include <utility>

#include "harness/machine/cpu_times.hpp"
#include "harness/machine/environment.hpp"
#include "harness/run/supervisor.hpp"

namespace assay::harness {
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::size_t stderr_kept = 4096;

double ms_since(Clock::time_point begin) {
  return std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
}

/// One descriptor, closed with its owner.
class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int value) : value_(value) {}
  Descriptor(Descriptor&& other) noexcept : value_(std::exchange(other.value_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(value_, other.value_);
    return *this;
  }
  ~Descriptor() { reset(); }
  void reset() {
    if (value_ >= 0) close(value_);
    value_ = -1;
  }
  int get() const { return value_; }
  bool open() const { return value_ >= 0; }

 private:
  int value_ = -1;
};

struct Pipe {
  Descriptor read_end, write_end;
  Pipe() {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) throw std::system_error(errno, std::generic_category(), "a pipe for a case");
    read_end = Descriptor(ends[0]);
    write_end = Descriptor(ends[1]);
    fcntl(ends[0], F_SETFL, O_NONBLOCK);
  }
};

/// A null-terminated array of pointers into `texts`.
std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> result;
  for (auto& text : texts) result.push_back(text.data());
  result.push_back(nullptr);
  return result;
}

/// Reads what is there, 1 MB at most so that the caller can look at its limits; false at the end of the file.
template <class Take>
bool drain(const Descriptor& from, Take take) {
  std::array<char, 1 << 16> block;
  for (int blocks = 0; blocks < 16; ++blocks) {
    const ssize_t count = read(from.get(), block.data(), block.size());
    if (count > 0) take(std::string_view(block.data(), static_cast<std::size_t>(count)));
    if (count == 0) return false;
    if (count < 0 && errno != EINTR) return errno == EAGAIN;
  }
  return true;
}

}  // namespace

struct Process::State {
  Descriptor control, status, exec, out, err;
  pid_t supervisor = -1;
  Clock::time_point begin;
  CpuTimesByCpu before;
  ProcessResult ended;
  bool over = false;
  std::string partial;  // of a line
  std::size_t bytes = 0;

  void read_exec();
  void read_err();
  void read_out(const std::function<void(std::string_view)>& line);
  void finish(const std::function<void(std::string_view)>& line);
  void order(char what) {
    if (control.open() && write(control.get(), &what, 1) < 0) control.reset();
  }
};

Process::Process(const ProcessSpec& spawn) : state_(std::make_unique<State>()) {
  static const bool ignored = std::signal(SIGPIPE, SIG_IGN) != SIG_ERR;  // an order to a supervisor that has just ended
  static_cast<void>(ignored);
  State& state = *state_;
  Pipe control, status, exec, out, err;
  std::vector<std::string> command = spawn.command, environment = child_environment(spawn.environment);
  const auto argv = pointers(command), envp = pointers(environment);
  cpu_set_t cpus;
  CPU_ZERO(&cpus);
  for (const int cpu : spawn.cpus) CPU_SET(static_cast<unsigned>(cpu), &cpus);
  // The supervisor's end of the control pipe blocks: it polls before it reads.
  const SupervisorCommand what{argv.data(), envp.data(), spawn.cpus.empty() ? nullptr : &cpus, sizeof cpus};
  const SupervisorPipes pipes{control.read_end.get(), status.write_end.get(), exec.write_end.get(), out.write_end.get(),
                              err.write_end.get()};
  state.before = cpu_times();
  state.begin = Clock::now();
  state.supervisor = fork();
  if (state.supervisor < 0) throw std::system_error(errno, std::generic_category(), "starting a case");
  if (state.supervisor == 0) supervise(what, pipes);
  state.control = std::move(control.write_end);
  state.status = std::move(status.read_end);
  state.exec = std::move(exec.read_end);
  state.out = std::move(out.read_end);
  state.err = std::move(err.read_end);
}

Process::~Process() {
  if (state_->over) return;
  kill();
  for (int waited = 0; waited < 100 && pump(std::chrono::milliseconds(50), [](std::string_view) {}); ++waited) {
  }
}

void Process::State::read_exec() {
  int error = 0;
  const ssize_t count = read(exec.get(), &error, sizeof error);
  if (count < 0) return;  // not yet
  ended.started = count == 0;
  ended.exec_error = error;
  ended.spawn_ms = ms_since(begin);
  exec.reset();
}

void Process::State::read_err() {
  const bool more = drain(err, [&](std::string_view text) {
    ended.stderr_tail.append(text);
    if (ended.stderr_tail.size() > stderr_kept) ended.stderr_tail.erase(0, ended.stderr_tail.size() - stderr_kept);
  });
  if (!more) err.reset();
}

void Process::State::read_out(const std::function<void(std::string_view)>& line) {
  const bool more = drain(out, [&](std::string_view text) {
    bytes += text.size();
    for (std::size_t newline; (newline = text.find('\n')) != std::string_view::npos; text.remove_prefix(newline + 1)) {
      partial.append(text.substr(0, newline));
      line(partial);
      partial.clear();
    }
    partial.append(text);
  });
  if (more) return;
  if (!partial.empty()) line(partial);
  partial.clear();
  out.reset();
}

void Process::State::finish(const std::function<void(std::string_view)>& line) {
  SupervisorReport report{SIGKILL, 0, 0, 0};  // one that was itself killed says nothing; the program dies with it
  if (read(status.get(), &report, sizeof report) < 0 && errno == EAGAIN) return;
  ended.wall_s = ms_since(begin) / 1000;
  ended.steal_percent = 100 * steal_share(elapsed(before, cpu_times())).value_or(0);
  if (exec.open()) read_exec();
  if (out.open()) read_out(line);
  if (err.open()) read_err();
  while (waitpid(supervisor, nullptr, 0) < 0 && errno == EINTR) {
  }
  if (WIFSIGNALED(report.wait_status))
    ended.signal = WTERMSIG(report.wait_status);
  else
    ended.code = WEXITSTATUS(report.wait_status);
  ended.left_behind = report.left_behind;
  ended.voluntary = report.voluntary;
  ended.involuntary = report.involuntary;
  over = true;
}

bool Process::pump(std::chrono::milliseconds timeout, const std::function<void(std::string_view)>& line) {
  State& state = *state_;
  if (state.over) return false;
  std::array<pollfd, 4> waited{{{state.status.get(), POLLIN, 0},
                                {state.exec.get(), POLLIN, 0},
                                {state.out.get(), POLLIN, 0},
                                {state.err.get(), POLLIN, 0}}};  // closed ones are -1, which poll leaves alone
  if (poll(waited.data(), waited.size(), static_cast<int>(timeout.count())) <= 0) return true;
  if (waited[1].revents) state.read_exec();
  if (waited[2].revents) state.read_out(line);
  if (waited[3].revents) state.read_err();
  if (waited[0].revents) state.finish(line);
  return !state.over;
}

void Process::terminate() { state_->order('T'); }

void Process::kill() { state_->order('K'); }

std::size_t Process::output_bytes() const { return state_->bytes; }

const ProcessResult& Process::ended() const { return state_->ended; }

}  // namespace assay::harness
