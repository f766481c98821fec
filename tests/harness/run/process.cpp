#include "harness/run/process.hpp"

#include <sched.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <thread>

#include "harness/run/events.hpp"
#include "tests/catch.hpp"
#include "tests/harness/run/toy.hpp"

using namespace assay::harness;
using namespace std::chrono_literals;

namespace {

struct Result {
  std::vector<std::string> lines;
  ProcessResult ended;
};

Result run(const std::string& script, std::vector<int> cpus = {},
           const std::map<std::string, std::string>& environment = {}) {
  Process process({{"bash", "-c", script}, environment, std::move(cpus)});
  Result result;
  while (process.pump(1000ms, [&](std::string_view line) { result.lines.emplace_back(line); })) {
  }
  result.ended = process.ended();
  return result;
}

/// Waits up to 5 s for the process to be gone.
bool gone(pid_t pid) {
  for (int i = 0; i < 500; ++i, std::this_thread::sleep_for(10ms))
    if (kill(pid, 0) != 0) return true;
  return false;
}

pid_t pid_in(const std::filesystem::path& file) {
  pid_t pid = 0;
  for (int i = 0; i < 500 && pid == 0; ++i, std::this_thread::sleep_for(10ms)) std::ifstream(file) >> pid;
  return pid;
}

}  // namespace

TEST_CASE("a process gives its lines, its error output's end, its exit and its environment") {
  const auto result =
      run("echo one; printf two; head -c 5000 /dev/zero | tr '\\0' x >&2; echo end >&2; echo; printf $V; exit 7", {},
          {{"V", "three"}});
  CHECK(result.lines == std::vector<std::string>{"one", "two", "three"});
  CHECK(result.ended.code == 7);
  CHECK(result.ended.signal == 0);
  CHECK(result.ended.stderr_tail.size() == 4096);
  CHECK_THAT(result.ended.stderr_tail, Catch::Matchers::EndsWith("xend\n"));
  CHECK(result.ended.voluntary + result.ended.involuntary > 0);
  CHECK(run("kill -SEGV $$").ended.signal == SIGSEGV);
}

TEST_CASE("a process runs on the CPUs that it is given") {
  cpu_set_t allowed;
  sched_getaffinity(0, sizeof allowed, &allowed);
  int last = 0;
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu)
    if (CPU_ISSET(static_cast<unsigned>(cpu), &allowed)) last = cpu;
  const auto result = run("grep Cpus_allowed_list /proc/self/status | cut -f2; nproc", {last});
  CHECK(result.lines == std::vector<std::string>{std::to_string(last), "1"});
}

TEST_CASE("a program that cannot be executed says so") {
  Process process({{"/nonexistent/program"}, {}, {}});
  while (process.pump(1000ms, [](std::string_view) {})) {
  }
  CHECK_FALSE(process.ended().started);
  CHECK(process.ended().exec_error == ENOENT);
}

TEST_CASE("what a program leaves running is killed with it, sessions and ignored signals notwithstanding") {
  const auto result =
      run("for i in 1 2; do (trap '' TERM HUP; setsid bash -c 'trap \"\" TERM; echo $$; exec >&- 2>&-; sleep 1000 & "
          "wait' & ) ; done; sleep 0.3; exit 0");
  REQUIRE(result.lines.size() == 2);
  CHECK(result.ended.left_behind >= 2);
  for (const auto& line : result.lines) CHECK(gone(std::stoi(line)));
}

TEST_CASE("terminate is SIGTERM first and SIGKILL a second later") {
  const auto end = [](const std::string& script) {
    Process process({{"bash", "-c", script}, {}, {}});
    std::vector<std::string> lines;
    bool asked = false;
    while (process.pump(1000ms, [&](std::string_view line) { lines.emplace_back(line); })) {
      if (!lines.empty() && !asked) process.terminate();
      asked = asked || !lines.empty();
    }
    return std::pair(lines, process.ended());
  };
  const auto [polite, polite_end] = end("trap 'echo bye; exit 4' TERM; echo here; while :; do sleep 0.01; done");
  CHECK(polite.back() == "bye");
  CHECK(polite_end.code == 4);
  const auto [stubborn, stubborn_end] = end("trap '' TERM; echo here; while :; do sleep 0.01; done");
  CHECK(stubborn_end.signal == SIGKILL);
}

TEST_CASE("a harness that is killed leaves no case running, grandchildren included") {
  const toy::Folder folder;
  const auto direct = folder.path / "direct", hidden = folder.path / "hidden";
  const pid_t harness = fork();
  if (harness == 0) {
    const Process process({{"bash", "-c",
                            "(setsid bash -c 'trap \"\" TERM HUP; echo $$ > " + hidden.string() +
                                "; while :; do sleep 0.1; done' &); echo $$ > " + direct.string() + "; sleep 1000"},
                           {},
                           {}});
    pause();
    _exit(0);
  }
  const pid_t program = pid_in(direct), grandchild = pid_in(hidden);
  REQUIRE(program > 0);
  REQUIRE(grandchild > 0);
  kill(harness, SIGKILL);
  waitpid(harness, nullptr, 0);
  CHECK(gone(program));
  CHECK(gone(grandchild));
}

TEST_CASE("a line is an event only when the protocol says so") {
  CHECK(read_event(R"({"event":"value","metric":"m","unit":"","better":"","value":null,"more":[1]})").at("more")[0] ==
        1);
  CHECK(read_event(R"({"event":"unheard_of"})").at("event") == "unheard_of");
  const std::string deep = std::string(10000, '[');
  for (const std::string& line :
       {std::string("hello"), std::string("[1]"), std::string(R"({"event":1})"), std::string(R"({"a":"b"})"),
        std::string(R"({"event":"value","metric":"m"})"),
        std::string(R"({"event":"samples","metric":"m","unit":"ns","better":"lower","values":[1,"2"]})"),
        std::string("{\"event\":\"x\",\"y\":NaN}"), std::string("{\"event\":\"x\",\"y\":1e999}"),
        std::string("{\"event\":\"\xff\"}"), R"({"event":"x","y":)" + deep}) {
    INFO(line.substr(0, 60));
    CHECK_THROWS_AS(read_event(line), std::invalid_argument);
  }
}
