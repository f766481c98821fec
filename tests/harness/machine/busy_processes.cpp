#include "harness/machine/busy_processes.hpp"

#include <unistd.h>

#include "tests/catch.hpp"

using namespace assay::harness;

namespace {
using Processes = std::map<int, ProcessTimes>;

const Processes before{{1, {1, 0, "init", 100}},   {10, {10, 1, "busy", 1000}}, {20, {20, 1, "self", 0}},
                       {21, {21, 20, "child", 0}}, {30, {30, 1, "idle", 500}},  {50, {50, 1, "old", 9999}}};
const Processes after{{1, {1, 0, "init", 101}},    {10, {10, 1, "busy", 1015}}, {20, {20, 1, "self", 20}},
                      {21, {21, 20, "child", 20}}, {30, {30, 1, "idle", 501}},  {40, {40, 1, "new", 20}},
                      {50, {50, 1, "reused", 3}}};
}  // namespace

TEST_CASE("a process is read from its stat line, whatever its name") {
  const auto one =
      parse_process_stat("4242 (a) b (c)) S 17 4242 4242 0 -1 4194304 100 0 0 0 7 5 0 0 20 0 1 0 100 1000 10\n");
  CHECK(one == ProcessTimes{4242, 17, "a) b (c)", 12, 100});
  const auto wild = parse_process_stat("9 (\x1b[31m\xff\n) R 1 9 9 0 -1 0 0 0 0 0 7 5 0 0 20 0 1 0 100 1000 10\n");
  REQUIRE(wild);
  CHECK(wild->name == "?[31m??");
  CHECK_FALSE(parse_process_stat("9 (negative) R 1 9 9 0 -1 0 0 0 0 0 -7 5 0 0 20 0 1 0 100 1000 10\n"));
  CHECK_FALSE(parse_process_stat("99999999999 (number) R 1 9 9 0 -1 0 0 0 0 0 7 5 0 0 20 0 1 0 100 1000 10\n"));
  CHECK_FALSE(parse_process_stat(""));
  CHECK_FALSE(parse_process_stat("1 (short) S 0"));
  CHECK_FALSE(parse_process_stat(") backwards ("));
}

TEST_CASE("busy processes are those above the limit, without ourselves and our children") {
  const auto busy = busy_processes(before, after, 0.2, 100, 20);  // 20 ticks are one core
  REQUIRE(busy.size() == 2);
  CHECK(busy[0].name == "new");  // began in between
  CHECK(busy[0].cores == Approx(1.0));
  CHECK(busy[1].name == "busy");
  CHECK(busy[1].cores == Approx(0.75));
}

TEST_CASE("a number that was given to another process counts from that one's start") {
  const Processes earlier{{7, {7, 1, "gone", 5000, 100}}, {8, {8, 1, "gone too", 10, 100}}};
  const Processes later{{7, {7, 1, "fresh", 20, 900}}, {8, {8, 1, "fresh too", 30, 900}}};
  const auto busy = busy_processes(earlier, later, 0.2, 100, 20);
  REQUIRE(busy.size() == 2);
  CHECK(busy[0].cores == Approx(1.5));  // 30 ticks, not 30 - 10
  CHECK(busy[1].cores == Approx(1.0));
}

TEST_CASE("a circle of parents ends") {
  const Processes circle{{2, {2, 3, "a", 100}}, {3, {3, 2, "b", 0}}};
  CHECK(busy_processes({}, circle, 0.2, 100, 20).size() == 1);
}

TEST_CASE("this process is among those that can be read") {
  const auto processes = process_times();
  REQUIRE(processes.contains(getpid()));
  CHECK(processes.at(getpid()).parent == getppid());
}
