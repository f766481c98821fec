#include "harness/run/records.hpp"

#include <fstream>

#include "harness/errors/errors.hpp"
#include "harness/results/document.hpp"
#include "tests/catch.hpp"
#include "tests/harness/run/toy.hpp"
#include "tests/harness/spoilt.hpp"

using namespace assay::harness;
using nlohmann::json;

namespace {

void write(const std::filesystem::path& file, const std::vector<json>& lines) {
  std::ofstream stream(file, std::ios::trunc);
  for (const auto& line : lines) stream << line.dump() << "\n";
}

/// The index of the first record of a kind.
std::size_t first(const std::vector<json>& records, const std::string& kind) {
  std::size_t index = 0;
  while (records.at(index).at("record") != kind) ++index;
  return index;
}

std::string message_of(const std::filesystem::path& file) {
  try {
    read_records(file);
  } catch (const CommandError& error) {
    CHECK(error.code == 5);
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("a record with one field missing or of another type is refused with its line, or harmless") {
  const toy::Folder folder;
  auto records = toy::run(folder, toy::program(folder, R"(
    if name == "toy.fit":
        say("value", metric="t", unit="ns", better="lower", value=None, reason="why")
        say("predictions", name="test", predicted=[1], expected=[2])
    if name == "toy.weights" and not os.path.exists(out + "/../broken"): open(out + "/../broken", "w"); os.abort()
)"));
  records.insert(records.end() - 1, json({{"record", "resume"}, {"created", "now"}, {"state_before", nullptr}}));
  const auto file = folder.path / "run/records.jsonl";
  write(file, records);
  REQUIRE(message_of(file) == "");
  int refused = 0;
  for (const char* kind : {"run", "process", "round", "resume", "end"}) {
    const std::size_t at = first(records, kind);
    assay::tests::with_each_field_spoilt(records[at], [&](const json& spoilt, const std::string& how) {
      INFO(kind << ": " << how);
      auto lines = records;
      lines[at] = spoilt;
      write(file, lines);
      if (const std::string message = message_of(file); !message.empty()) {
        ++refused;
        CHECK_THAT(message, Catch::Matchers::StartsWith(file.string() + ", line ") &&
                                !Catch::Matchers::Contains("json.exception"));
        return;
      }
      try {  // what passes must be harmless to all who read records
        make_document(read_records(file), json::array());
        prepare_resume(folder.path / "run", toy::host());
      } catch (const CommandError& error) {
        CHECK(error.code == 5);
      }
    });
  }
  CHECK(refused > 1000);
}

TEST_CASE("a damaged record is refused with its line, what was expected and what was found") {
  const toy::Folder folder;
  const auto records = toy::run(folder, toy::program(folder, ""));
  const auto file = folder.path / "run/records.jsonl";
  auto lines = records;
  std::string expected = "line 1: ";
  SECTION("seed") {
    lines[0]["options"]["seed"] = "0", expected += "options.seed: expected a whole number from 0 up, found \"0\"";
  }
  SECTION("profile") { lines[0]["options"]["profile"] = "quik", expected += "options.profile: expected one of quick"; }
  SECTION("schema") { lines[0]["schema"] = 2, expected += "schema: expected a whole number from 1 to 1, found 2"; }
  SECTION("program") { lines[0]["programs"][0]["name"] = "other", expected += "programs[0].name: expected 'toy'"; }
  SECTION("schedule") {
    lines[0]["schedule"][0]["configurations"][0] = "toy:toy.stp", expected += "configuration 'toy.stp' names the case";
  }
  SECTION("event") {
    lines[1]["events"][0].erase("case"), expected = "line 2: events[0]: expected an event, found event start without";
  }
  SECTION("step") { lines[2]["step"] = 99, expected = "line 3: step: expected a whole number from 0 to "; }
  SECTION("a second first") { lines[1] = lines[0], expected = "line 2: record: expected run in the first line only"; }
  write(file, lines);
  CHECK_THAT(message_of(file), Catch::Matchers::Contains(file.string() + ", " + expected));
}

TEST_CASE("lines that are no JSON, or nested too deep, are refused with their place") {
  const toy::Folder folder;
  const auto file = folder.path / "records.jsonl";
  std::ofstream(file) << "{\"record\": \n";
  CHECK_THAT(message_of(file), Catch::Matchers::Contains("line 1: no JSON at byte"));
  std::ofstream(file) << std::string(100000, '[') << "\n";
  CHECK_THAT(message_of(file), Catch::Matchers::Contains("line 1: it is nested deeper than 64"));
  std::ofstream(file) << "[]\n";
  CHECK_THAT(message_of(file), Catch::Matchers::Contains("line 1: the document: expected an object, found []"));
}
