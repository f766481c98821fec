#include "harness/results/columns.hpp"

#include "tests/catch.hpp"

using namespace assay::harness;
using nlohmann::json;

namespace {

json parameter(const std::string& name, const json& values) {
  return {{"name", name}, {"values", values}, {"default", values.at(0)}};
}

json header() {
  const json own{{"program", {{"name", "assay"}}}, {"scenarios", json::array()}};
  json peer{{"program", {{"name", "tensorflow"}, {"columns", {"onednn"}}}}};
  peer["scenarios"] =
      json::array({{{"name", "toy"},
                    {"groups",
                     {{{"name", "toy.step"},
                       {"configurations", {"toy.step", "toy.step{onednn=off}", "toy.step{mode=eager,onednn=off}"}}}}},
                    {"cases",
                     {{{"name", "toy.step"},
                       {"parameters", {parameter("mode", {"traced", "eager"}), parameter("onednn", {"on", "off"})}}},
                      {{"name", "toy.size"}, {"parameters", json::array()}}}}}});
  return {{"catalogue", own},
          {"programs", {{{"name", "assay"}}, {{"name", "tensorflow"}, {"version", "2.21.0"}, {"catalogue", peer}}}}};
}

json placed(const std::string& program, const std::string& configuration) {
  json entry{{"program", program}, {"configuration", configuration}, {"status", "ok"}};
  const json record = header();
  Columns(record).place(entry);
  return {entry.at("program"), entry.at("configuration")};
}

}  // namespace

TEST_CASE("a parameter that makes columns stands in the program's name") {
  CHECK(placed("tensorflow", "toy.step{mode=eager,onednn=off}") ==
        json{"tensorflow{onednn=off}", "toy.step{mode=eager}"});
  CHECK(placed("tensorflow", "toy.step{onednn=off}") == json{"tensorflow{onednn=off}", "toy.step"});
}

TEST_CASE("its default stands there too, and other parameters stay where they are") {
  CHECK(placed("tensorflow", "toy.step{mode=eager}") == json{"tensorflow{onednn=on}", "toy.step{mode=eager}"});
  CHECK(placed("tensorflow", "toy.step") == json{"tensorflow{onednn=on}", "toy.step"});
}

TEST_CASE("a case without the parameter, and a program without columns, are left alone") {
  CHECK(placed("tensorflow", "toy.size") == json{"tensorflow", "toy.size"});
  CHECK(placed("assay", "toy.step{onednn=off}") == json{"assay", "toy.step{onednn=off}"});
}

TEST_CASE("the programs of a document are its columns, without catalogues") {
  const json record = header();
  const Columns columns(record);
  REQUIRE(columns.programs().size() == 3);
  CHECK(columns.programs().at(0).at("name") == "assay");
  CHECK(columns.programs().at(1).at("name") == "tensorflow{onednn=on}");
  CHECK(columns.programs().at(2).at("name") == "tensorflow{onednn=off}");
  CHECK(columns.programs().at(2).at("version") == "2.21.0");
  for (const json& program : columns.programs()) CHECK_FALSE(program.contains("catalogue"));
  CHECK(columns.catalogue_of("assay").at("program").at("name") == "assay");
  CHECK(columns.catalogue_of("tensorflow{onednn=off}").at("program").at("name") == "tensorflow");
}
