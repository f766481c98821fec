#include "harness/results/read_run.hpp"

#include <fstream>
#include <sstream>

#include "harness/claims/claims.hpp"
#include "harness/errors/errors.hpp"
#include "harness/gate/ratios.hpp"
#include "harness/results/document.hpp"
#include "harness/results/side_by_side.hpp"
#include "harness/results/store.hpp"
#include "tests/catch.hpp"
#include "tests/harness/results/toy_records.hpp"
#include "tests/harness/run/toy.hpp"
#include "tests/harness/spoilt.hpp"

using namespace assay::harness;
using nlohmann::json;

namespace {

json measured() {
  assay::tests::ToyRecords run;
  run.timed_rounds({1.10, 1.12, 1.14, 1.16, 1.18, 1.20});
  return make_document(run.records, json::array());
}

}  // namespace

TEST_CASE("a run document is compared with itself") {
  const toy::Folder folder;
  write_document(folder.path / "run.json", measured());
  const json read = read_run(folder.path);
  CHECK(read == measured());
  CHECK_FALSE(side_by_side({read, read}, false).at("ratios").empty());
}

TEST_CASE("a document with a field spoilt is refused by name, or harms no reader of it") {
  const toy::Folder folder;
  json document = measured();
  document["processes"] = json::array();  // nobody here reads them; they would make this slow
  const auto file = folder.path / "run.json";
  int refused = 0, read = 0;
  assay::tests::with_each_field_spoilt(document, [&](const json& spoilt, const std::string& how) {
    INFO(how);
    std::ofstream(file) << spoilt.dump();
    try {
      const json run = read_run(file);
      std::ostringstream out;
      print_side_by_side(side_by_side({document, run}, true), out, false);
      compare_ratios(run, document, Preset{0.03, 0.05});
      ++read;
    } catch (const CommandError& error) {
      CHECK(std::string(error.what()).find(error.code == 2 ? file.string() : "in common") != std::string::npos);
      ++refused;
    }
  });
  CHECK(refused > 100);
  CHECK(read > 100);
}
