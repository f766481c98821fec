#include "harness/run/runner.hpp"

#include <unistd.h>
#include <fstream>

#include <functional>
#include <set>

#include "harness/errors/errors.hpp"
#include "harness/run/machine_lock.hpp"
#include "harness/run/records.hpp"
#include "tests/catch.hpp"
#include "tests/harness/run/toy.hpp"

using namespace assay::harness;
using nlohmann::json;

namespace {

/// (step, attempt, configuration) of the process records that count, by the rule of docs/run_document.md.
std::multiset<std::tuple<int, int, std::string>> used(const std::vector<json>& records) {
  std::multiset<std::tuple<int, int, std::string>> result, pending;
  for (const auto& record : records) {
    const auto kind = record.at("record").get<std::string>();
    if (kind == "process" && !record.at("step").is_null())
      pending.emplace(record.at("step").get<int>(), record.at("attempt").get<int>(),
                      record.at("configuration").get<std::string>());
    if (kind == "resume") pending.clear();
    if (kind == "round") {
      if (record.at("complete").get<bool>()) result.insert(pending.begin(), pending.end());
      pending.clear();
    }
  }
  return result;
}

std::vector<json> left(const std::vector<json>& records) {
  std::vector<json> result;
  for (const auto& record : records)
    if (record.at("record") == "round")
      for (const auto& entry : record.at("left")) result.push_back(entry);
  return result;
}

int code_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const CommandError& error) {
    return error.code;
  }
  return 0;
}

}  // namespace

TEST_CASE("a run measures every configuration once a round, seed or run, and passes what a case needs") {
  const toy::Folder folder;
  const auto records = toy::run(folder, toy::program(folder, R"(
    if name != "toy.weights": assert open(artifacts["weights"]).read() == "w", artifacts
    assert os.environ.get("TOY_MODE") == settings.get("mode"), os.environ
    assert lengths == {"epochs": "4"}, lengths
    print("chatter on standard error", file=sys.stderr)
)"));
  CHECK(records.front().at("record") == "run");
  CHECK(records.back().at("record") == "end");
  for (const auto& record : records)
    if (record.at("record") == "process") {
      INFO(record.dump());
      CHECK(record.at("status") == "ok");
      CHECK(record.at("stderr_tail") == "chatter on standard error\n");
      CHECK(record.at("wall_s") > 0.0);
      CHECK(record.at("spawn_ms") > 0.0);
    }
  CHECK(toy::of(records, "toy.weights").size() == 1);
  CHECK(toy::of(records, "toy.fit").size() == 2);
  CHECK(toy::of(records, "toy.fit")[1].at("seed") == 8);
  CHECK(toy::of(records, "toy.step").size() == 3);
  CHECK(toy::of(records, "toy.step{mode=b}").size() == 3);
}

TEST_CASE("a process that breaks once repeats its round, one that breaks again leaves its group, the others go on") {
  const toy::Folder folder;
  SECTION("once") {
    const auto records = toy::run(folder, toy::program(folder, R"(
    mark = os.path.join(out, "../../../../broken")
    if settings.get("mode") == "b" and not os.path.exists(mark):
        open(mark, "w"); os.abort()
)"));
    const auto b = toy::of(records, "toy.step{mode=b}");
    REQUIRE(b.size() == 4);
    CHECK(b[0].at("reason") == "it was ended by signal 6 (Aborted)");
    CHECK(b[0].at("exit") == json({{"code", nullptr}, {"signal", 6}}));
    CHECK(b[1].at("attempt") == 2);
    CHECK(toy::of(records, "toy.step").size() == 4);
    CHECK(used(records).size() == 9);
    CHECK(left(records).empty());
  }
  SECTION("again") {
    const auto records = toy::run(folder, toy::program(folder, "    if settings.get('mode') == 'b': os._exit(3)\n"));
    CHECK(toy::of(records, "toy.step{mode=b}").size() == 2);
    CHECK(toy::of(records, "toy.step").size() == 4);  // round 1 twice, then 2 and 3
    REQUIRE(left(records).size() == 1);
    CHECK(left(records)[0].at("configuration") == "toy.step{mode=b}");
    CHECK(left(records)[0].at("reason") == "its last event is \"samples\"; expected finish (exit code 3)");
    CHECK(records.back().at("record") == "end");
  }
}

TEST_CASE("what needs a failed case is one failed row with its reason and is not started") {
  const toy::Folder folder;
  SECTION("it failed") {
    const auto records =
        toy::run(folder, toy::program(folder, "    if name == 'toy.weights': artifact('w', 'f' * 64)\n"));
    CHECK(toy::of(records, "toy.weights").size() == 2);
    const auto step = toy::of(records, "toy.step");
    REQUIRE(step.size() == 1);
    CHECK(step[0].at("exit").is_null());
    CHECK_THAT(step[0].at("reason").get<std::string>(),
               Catch::Matchers::StartsWith("it needs 'weights' of toy.weights, which failed: artifact"));
    CHECK(left(records).size() == 4);
  }
  SECTION("it was skipped") {
    const auto records = toy::run(folder, toy::program(folder, R"(
    if name == "toy.weights": say("finish", status="skipped", reason="not here", peak_bytes=1); sys.exit(0)
)"));
    for (const auto& entry : left(records)) CHECK(entry.at("status") == "skipped");
    CHECK(toy::of(records, "toy.weights").size() == 1);
    CHECK(toy::of(records, "toy.fit")[0].at("reason") ==
          "it needs 'weights' of toy.weights, which was skipped: not here");
  }
}

TEST_CASE("a run cut off after any record is completed by resume with the same rounds") {
  const toy::Folder folder;
  const auto program = toy::program(folder, "");
  const auto plan = prepare_run(toy::options(folder, program), toy::host());
  execute(plan, toy::host(), {}, toy::never);
  const auto file = plan.folder / "records.jsonl";
  const auto whole = read_records(file);
  for (std::size_t kept = 1; kept <= whole.size(); ++kept) {
    INFO("cut after record " << kept);
    std::ofstream cut(file, std::ios::trunc);
    for (std::size_t i = 0; i < kept; ++i) cut << whole[i].dump() << "\n";
    if (kept < whole.size()) cut << whole[kept].dump().substr(0, 9);  // torn
    cut.close();
    const auto outcome = execute(prepare_resume(plan.folder, toy::host()), toy::host(), {}, toy::never);
    CHECK(outcome.finished);
    const auto records = read_records(file);
    CHECK(used(records) == used(whole));
    CHECK(records.back().at("record") == "end");
  }
}

TEST_CASE("resume refuses another machine, another program and a changed artifact, and a folder without a run") {
  const toy::Folder folder;
  const auto program = toy::program(folder, "");
  const auto plan = prepare_run(toy::options(folder, program), toy::host());
  execute(plan, toy::host(), {}, toy::never);
  CHECK(code_of([&] { prepare_resume(plan.folder, toy::host("elsewhere")); }) == 5);
  CHECK(code_of([&] { prepare_resume(folder.path / "nothing", toy::host()); }) == 2);
  std::ofstream(plan.folder / "artifacts/toy/toy.weights/seed-7/w.bin") << "x";
  CHECK(code_of([&] { execute(prepare_resume(plan.folder, toy::host()), toy::host(), {}, toy::never); }) == 5);
  std::ofstream(program, std::ios::app) << "\n";
  CHECK(code_of([&] { prepare_resume(plan.folder, toy::host()); }) == 5);
}

TEST_CASE("resume refuses data that are gone (2) or replaced (5), and writes nothing, and an older header is resumed") {
  const toy::Folder folder;
  const auto data = folder.path / "data";
  std::filesystem::create_directory(data);
  std::ofstream(data / "rows") << "one";
  auto options = toy::options(folder, toy::program(folder, ""));
  auto here = toy::host();
  const bool named = GENERATE(true, false);  // else the programs' own
  INFO((named ? "named" : "the programs' own"));
  (named ? options.data : here.own_data) = data;
  const auto plan = prepare_run(options, here);
  CHECK(plan.header.at("options").at("data_sha256").get<std::string>().size() == 64);
  const auto file = plan.folder / "records.jsonl";
  std::filesystem::create_directory(plan.folder);
  std::ofstream(file) << plan.header.dump() << "\n";
  const auto size = std::filesystem::file_size(file);
  const auto resumed = [&] { return code_of([&] { prepare_resume(plan.folder, here); }); };
  CHECK(resumed() == 0);
  std::ofstream(data / "rows") << "two";
  CHECK(resumed() == 5);
  std::filesystem::remove_all(data);
  CHECK(resumed() == (named ? 2 : 5));
  CHECK(std::filesystem::file_size(file) == size);
  auto older = plan.header;
  older["options"].erase("data_sha256");
  std::ofstream(file) << older.dump() << "\n";
  CHECK(resumed() == 0);
}

TEST_CASE("resume asks the program whether the data are still readable") {
  const toy::Folder folder;
  const auto program = toy::program(folder, "", R"(
if sys.argv[1] == "cases" and os.path.exists(sys.argv[0] + ".gone"): sys.exit(2)
)");
  const auto plan = prepare_run(toy::options(folder, program), toy::host());
  std::filesystem::create_directory(plan.folder);
  std::ofstream(plan.folder / "records.jsonl") << plan.header.dump() << "\n";
  CHECK(code_of([&] { prepare_resume(plan.folder, toy::host()); }) == 0);
  std::ofstream(program.string() + ".gone") << "";
  CHECK(code_of([&] { prepare_resume(plan.folder, toy::host()); }) == 2);
}

TEST_CASE("a stopped run ends its case and stays resumable") {
  const toy::Folder folder;
  const auto program =
      toy::program(folder, "    if name == 'toy.fit' and not os.path.exists(sys.argv[0] + '.go'): time.sleep(60)\n");
  const auto plan = prepare_run(toy::options(folder, program), toy::host());
  std::atomic<bool> stop{false};
  const auto outcome = execute(
      plan, toy::host(), [&](const Progress& p) { stop = p.configuration == "toy.fit"; }, stop);
  CHECK_FALSE(outcome.finished);
  CHECK(read_records(plan.folder / "records.jsonl").back().at("record") == "round");
  std::ofstream(program.string() + ".go") << "";
  CHECK(execute(prepare_resume(plan.folder, toy::host()), toy::host(), {}, toy::never).finished);
}

TEST_CASE("what cannot begin is said before anything is written") {
  const toy::Folder folder;
  const auto program = toy::program(folder, "");
  auto options = toy::options(folder, program);
  const auto prepared = [&] { prepare_run(options, toy::host()); };
  SECTION("unknown profile") { options.profile = "quik"; }
  SECTION("unknown scenario") { options.scenarios = {"toi"}; }
  SECTION("unknown control") { options.off = {"engine.trce"}; }
  SECTION("more threads than CPUs") { options.threads = 100000; }
  SECTION("no program") { options.programs = {folder.path / "nothing"}; }
  SECTION("a file in the way") { std::ofstream(options.out) << "x"; }
  SECTION("a folder that holds something") { std::filesystem::create_directories(options.out / "x"); }
  const bool existed = std::filesystem::exists(options.out);
  CHECK(code_of(prepared) == 2);
  CHECK(std::filesystem::exists(options.out) == existed);
}

TEST_CASE("the lock names its holder and is free again afterwards") {
  const toy::Folder folder;
  {
    const MachineLock held;
    try {
      const MachineLock second;
      FAIL("two locks at once");
    } catch (const CommandError& error) {
      CHECK(error.code == 5);
      CHECK_THAT(error.what(), Catch::Matchers::Contains("process " + std::to_string(getpid())));
    }
  }
  CHECK_NOTHROW(MachineLock());
}

TEST_CASE("a service starts before the first case that needs it and ends after the last") {
  const toy::Folder folder;
  const auto program = toy::program(folder, R"(
    if name == "toy.server": say("ready", port=4321); time.sleep(60)
    if name == "toy.ask": assert services == {"server": "4321"}, services
)",
                                    R"(
cases += [case("toy.server", "service"), case("toy.ask", "timed", [{"artifact": "server", "from": "toy.server"}])]
)");
  const auto records = toy::run(folder, program);
  CHECK(left(records).empty());
  CHECK(toy::of(records, "toy.ask").size() == 3);
  const auto server = toy::of(records, "toy.server");
  REQUIRE(server.size() == 1);
  CHECK(server[0].at("status") == "ok");
  CHECK(server[0].at("step").is_null());
  CHECK(server[0].at("exit").at("signal") == 15);
}
