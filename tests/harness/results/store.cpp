#include "harness/results/store.hpp"

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <limits>
#include <sstream>

#include "tests/catch.hpp"

using namespace assay::harness;
namespace fs = std::filesystem;

namespace {

/// A folder of its own for each test, removed at the end.
struct Folder {
  fs::path path = fs::temp_directory_path() / ("assay_store_" + std::to_string(getpid()));
  Folder() { fs::create_directories(path); }
  ~Folder() { fs::remove_all(path); }
};

std::string text_of(const fs::path& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

void write(const fs::path& path, const std::string& text) { std::ofstream(path) << text; }

}  // namespace

TEST_CASE("a file is replaced whole and nothing is left beside it") {
  const Folder folder;
  const fs::path file = folder.path / "run.json";
  write_atomically(file, "old");
  write_atomically(file, "new");
  CHECK(text_of(file) == "new");
  CHECK(std::distance(fs::directory_iterator(folder.path), {}) == 1);
}

TEST_CASE("a folder that is not there is named, and an old file survives a failed write") {
  const Folder folder;
  CHECK_THROWS_WITH(write_atomically(folder.path / "no" / "run.json", "x"),
                    Catch::Contains((folder.path / "no").string()));
  const fs::path file = folder.path / "run.json";
  write_atomically(file, "old");
  fs::create_directories(folder.path / "run.json.new");  // where the new text would be written
  CHECK_THROWS(write_atomically(file, "new"));
  CHECK(text_of(file) == "old");
}

TEST_CASE("reading says what is wrong with a file") {
  const Folder folder;
  const fs::path file = folder.path / "run.json";
  CHECK_THROWS_WITH(read_document(file), Catch::Contains("run.json") && Catch::Contains("cannot be read"));
  for (const char* text : {"", "{", "[1]", "{}", R"({"schema": "1"})"}) {
    write(file, text);
    CHECK_THROWS_WITH(read_document(file), Catch::Contains("is no run document"));
  }
  write(file, R"({"schema": 2})");
  CHECK_THROWS_WITH(read_document(file), Catch::Contains("schema 2, and this assay reads schema 1"));
  write(file, R"({"schema": 1, "id": "x"})");
  CHECK(read_document(file).at("id") == "x");
}

TEST_CASE("text that is not UTF-8 still gives a document") {
  const std::string text = document_text({{"stderr_tail", "\xff broken"}});
  CHECK(nlohmann::json::accept(text));
}
