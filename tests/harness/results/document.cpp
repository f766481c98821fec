#include "harness/results/document.hpp"

#include <filesystem>

#include "harness/claims/claims.hpp"
#include "harness/commands/expectations.hpp"
#include "tests/catch.hpp"
#include "tests/harness/results/toy_records.hpp"

using namespace assay::harness;
using assay::tests::row;
using assay::tests::ToyRecords;
using assay::tests::value;
using nlohmann::json;

namespace {

const std::vector<double> kSlower{1.10, 1.12, 1.14, 1.16, 1.18, 1.20};

json claims() {
  return complete_claims(
      json::array({{{"id", "toy.eager_step"},
                    {"section", 2},
                    {"source", "P"},
                    {"advice", "tracing off is cheap"},
                    {"published", {{"ratio", 9.9}, {"text", "9.9x"}}},
                    {"tested_by", json::array({{{"comparison", "toy.eager_step"}, {"metric", "step_time"}}})},
                    {"holds", {{"ratio_at_most", 1.1}}},
                    {"why", "a tenth"}},
                   {{"id", "toy.count"},
                    {"section", 2},
                    {"source", "P"},
                    {"advice", "means of means are means"},
                    {"published", {{"text", "they are not"}}},
                    {"tested_by", json::array({{{"value", "error"}, {"case", "toy.count"}}})},
                    {"holds", {{"value_at_most", 1e-6}}},
                    {"why", "rounding"}},
                   {{"id", "other.thing"},
                    {"section", 3},
                    {"source", "K"},
                    {"advice", "something"},
                    {"published", {{"text", "no number"}}},
                    {"tested_by", json::array({{{"comparison", "other.thing"}, {"metric", "time"}}})},
                    {"holds", {{"ratio_at_most", 1}}},
                    {"why", "as it is"}}}));
}

/// Ends the first attempt of round 1 as broken; its second and the other rounds are fine, eager 20 % slower.
void repeated(ToyRecords& run) {
  run.end_round(ToyRecords::first_round_step, 1, false);
  for (int round = 1; round <= 6; ++round) {
    run.timed_round(round, 100, 120, round == 1 ? 2 : 1);
    run.end_round(ToyRecords::first_round_step + round - 1, round == 1 ? 2 : 1);
  }
}

json step_row(const json& document) { return row(document.at("comparisons"), "id", "toy.eager_step"); }

}  // namespace

TEST_CASE("a value that was wrong in a repeated round tests no claim") {
  ToyRecords run;
  const auto counted = [&run](double error, bool passed, int attempt) {
    run.add(run.process(
        0, "toy.count",
        json::array(
            {value("error", "", "lower", error),
             {{"event", "check"}, {"name", "answer"}, {"passed", passed}, {"measured", passed ? 0 : 9}, {"limit", 1}}}),
        attempt));
  };
  const bool wrong = GENERATE(true, false);
  counted(0, !wrong, 1);
  run.end_round(0, 1, false);  // another program's process broke
  counted(0, true, 2);
  run.end_round(0, 2);
  run.end();
  const json document = make_document(run.records, claims());
  const json verdict = row(document.at("claims"), "id", "toy.count").at("verdicts").at(0);
  CHECK(verdict.at("advice") == (wrong ? "not testable here" : "holds"));
  CHECK(verdict.at("reason") == (wrong ? "toy.count: check \"answer\" failed" : "the source gives no figure"));
}

TEST_CASE("a timed comparison: medians of repetitions, ratios inside rounds, sign interval") {
  ToyRecords run;
  run.timed_rounds(kSlower);
  run.end();
  const json document = make_document(run.records, claims());
  const json comparison = step_row(document);
  CHECK(comparison.at("n") == 6);
  CHECK(comparison.at("samples").at(2).get<double>() == Approx(1.14));
  CHECK(comparison.at("estimate").get<double>() == Approx(std::sqrt(1.14 * 1.16)));
  CHECK(comparison.at("low").get<double>() == Approx(1.10));
  CHECK(comparison.at("high").get<double>() == Approx(1.20));
  CHECK(comparison.at("confidence").get<double>() == Approx(0.96875));
  CHECK(comparison.at("verdict") == "regressed");
  const json traced = row(document.at("values"), "configuration", "toy.step");
  CHECK(traced.at("median") == 100);
  CHECK(traced.at("per") == "round");
  CHECK(document.at("intervals").at("printed") == 3);  // two values and one comparison
  CHECK(document.at("intervals").at("expected_to_miss").get<double>() == Approx(3 * 0.03125));
  CHECK(document.at("state").at("after").at("load") == 1);
  CHECK(row(document.at("claims"), "id", "toy.eager_step").at("verdicts").at(0).at("advice") ==
        "undecided");  // 1.10 touches the bound
}

TEST_CASE("concerns are those before the run, at each resumption and after it, with their moments") {
  const auto busy = [](const char* name) {
    return json{{"busy_processes", json::array({{{"name", name}, {"pid", 7}, {"cores", 0.5}}})}};
  };
  ToyRecords run;
  run.records.front()["state_before"] = busy("backup");
  run.add({{"record", "resume"}, {"created", "2026-01-02T03:05:05Z"}, {"state_before", busy("backup")}});
  run.add({{"record", "resume"}, {"created", "2026-01-02T03:06:05Z"}, {"state_before", nullptr}});
  run.timed_rounds(kSlower);
  run.add({{"record", "end"}, {"state_after", {{"steal_share", 0.04}}}});
  const json state = make_document(run.records, claims()).at("state");
  CHECK(state.at("concerns") ==
        json({"process backup (7) uses 50 % of a core (before the run, when it was resumed)",
              "the hypervisor gave 4 % of the CPU time to others (more than 2 %) (after the run)"}));
  CHECK(state.at("resumed") == json::array({busy("backup")}));
}

TEST_CASE("a round that was repeated or cut off counts once, in its completed attempt") {
  ToyRecords run;
  run.timed_round(1, 100, 900);  // its other process died: the round is run once more
  run.end_round(ToyRecords::first_round_step, 1, false);
  run.timed_round(1, 100, 110, 2);
  run.end_round(ToyRecords::first_round_step, 2);
  run.timed_round(2, 100, 800);  // cut off before its end
  run.add({{"record", "resume"}, {"created", "2026-01-02T03:05:05Z"}, {"state_before", json::object()}});
  for (int round = 2; round <= 6; ++round) {
    run.timed_round(round, 100, 100 * kSlower[static_cast<std::size_t>(round) - 1]);
    run.end_round(ToyRecords::first_round_step + round - 1);
  }
  const json document = make_document(run.records, claims());
  CHECK(step_row(document).at("high").get<double>() == Approx(1.20));
  CHECK(step_row(document).at("n") == 6);
  int used = 0;
  for (const json& process : document.at("processes")) used += process.at("used").get<bool>();
  CHECK(used == 12);
  CHECK(document.at("processes").size() == 16);
  CHECK(document.at("failures").empty());
}

TEST_CASE("no speed without correctness: a failed check leaves no ratio") {
  ToyRecords run;
  run.timed_rounds(kSlower);
  for (json& record : run.records)
    if (record.at("record") == "process" && record.at("round") == 3 &&
        record.at("configuration") == "toy.step{mode=eager}")
      record.at("events").insert(record.at("events").begin(), assay::tests::failed_check(0.5));
  const json document = make_document(run.records, claims());
  const json comparison = step_row(document);
  CHECK(comparison.at("verdict") == "invalid");
  CHECK(comparison.at("estimate").is_null());
  CHECK(comparison.at("samples").empty());
  CHECK(comparison.at("reason").get<std::string>().find("loss is right") != std::string::npos);
  CHECK(comparison.at("checks_failed").at(0).at("measured") == 0.5);
  const json verdict = row(document.at("claims"), "id", "toy.eager_step").at("verdicts").at(0);
  CHECK(verdict.at("advice") == "not testable here");
  CHECK(verdict.at("reason") == comparison.at("reason"));
}

TEST_CASE("a failed check stays one when its round is repeated because another process broke") {
  ToyRecords run;
  const int step = ToyRecords::first_round_step;
  const json eager = json::array({assay::tests::failed_check(0.5), assay::tests::samples("step_time", {110})});
  SECTION("it is the only trace of the wrong answer") {
    run.add(run.process(step, "toy.step{mode=eager}", eager));
    json broken = run.process(step, "toy.step", json::array());
    broken["status"] = "failed";
    run.add(broken);
    repeated(run);
    const json document = make_document(run.records, claims());
    CHECK(any_check_failed(document));
    CHECK(step_row(document).at("verdict") == "invalid");
    CHECK(step_row(document).at("samples").empty());
    CHECK(step_row(document).at("checks_failed").at(0).at("name") == "loss is right");
    CHECK(step_row(document).at("checks_failed").at(0).at("processes") == 1);
    CHECK(row(document.at("values"), "configuration", "toy.step{mode=eager}").at("samples").size() == 6);
  }
  SECTION("of a process that broke itself it says nothing that its repetition does not") {
    json broken = run.process(step, "toy.step{mode=eager}", eager);
    broken["status"] = "failed";
    run.add(broken);
    repeated(run);
    const json document = make_document(run.records, claims());
    CHECK_FALSE(any_check_failed(document));
    CHECK(step_row(document).at("verdict") == "regressed");
  }
}

TEST_CASE("a failed check of a repeated round leaves a claim about a value untested") {
  ToyRecords run;
  const auto wrong = json::array({assay::tests::failed_check(0.5), value("error", "", "lower", 0)});
  run.add(run.process(ToyRecords::count_step, "toy.count", wrong));
  run.end_round(ToyRecords::count_step, 1, false);
  run.add(run.process(ToyRecords::count_step, "toy.count", json::array({value("error", "", "lower", 0)}), 2));
  run.end_round(ToyRecords::count_step, 2);
  const json document = make_document(run.records, claims());
  const json verdict = row(document.at("claims"), "id", "toy.count").at("verdicts").at(0);
  CHECK(verdict.at("advice") == "not testable here");
  CHECK(verdict.at("reason") == "toy.count: check \"loss is right\" failed");
}

TEST_CASE("a machine whose processors others use judges nothing") {
  ToyRecords run;
  run.timed_rounds(kSlower);
  for (json& record : run.records)
    if (record.at("record") == "process") record["steal_percent"] = 2.5;
  const json document = make_document(run.records, claims());
  CHECK(document.at("state").at("fit") == false);
  CHECK(step_row(document).at("verdict") == "invalid");
  CHECK(step_row(document).at("reason").get<std::string>().find("2.5 %") != std::string::npos);
  for (json& record : run.records)
    if (record.at("record") == "process") record["steal_percent"] = 2.0;
  CHECK(step_row(make_document(run.records, claims())).at("verdict") == "regressed");  // the limit itself is fine
}

TEST_CASE("what left its group is a failure or skipped, and only its comparisons are invalid") {
  for (const std::string status : {"failed", "skipped"}) {
    ToyRecords run;
    run.add(
        run.process(ToyRecords::first_round_step, "toy.step", json::array({assay::tests::samples("step_time", {1})})));
    run.end_round(ToyRecords::first_round_step, 1, true,
                  json::array({{{"configuration", "toy.step{mode=eager}"},
                                {"program", "assay"},
                                {"status", status},
                                {"reason", "no kernel"}}}));
    const json document = make_document(run.records, claims());
    CHECK(document.at(status == "failed" ? "failures" : "skipped").size() == 1);
    CHECK(document.at(status == "failed" ? "skipped" : "failures").empty());
    CHECK(step_row(document).at("verdict") == "invalid");
    CHECK(step_row(document).at("reason").get<std::string>().find("no kernel") != std::string::npos);
    CHECK(row(document.at("values"), "configuration", "toy.step").at("low").is_null());
  }
}

TEST_CASE("sides that a control makes equal are no comparison") {
  ToyRecords run;
  run.timed_rounds(kSlower);
  run.records.front()["options"]["off"] = {"engine.trace"};
  const json document = make_document(run.records, claims());
  CHECK(step_row(document).at("verdict") == "invalid");
  CHECK(step_row(document).at("reason").get<std::string>().find("engine.trace") != std::string::npos);
  CHECK(document.at("controls").at(0).at("on") == false);
}

TEST_CASE("accuracy is judged over seeds and paired by row") {
  ToyRecords run;
  const json expected{0, 1, 2, 3}, good{0, 1, 2, 3}, bad{0, 1, 9, 9};
  for (int seed = 0; seed < 6; ++seed) {
    const int step = ToyRecords::first_seed_step + seed;
    run.add(run.process(step, "toy.fit",
                        {value("accuracy", "", "higher", 0.90),
                         {{"event", "predictions"}, {"name", "test"}, {"predicted", good}, {"expected", expected}}}));
    run.add(run.process(step, "toy.loop",
                        {value("accuracy", "", "higher", 0.80),
                         {{"event", "predictions"}, {"name", "test"}, {"predicted", bad}, {"expected", expected}}}));
    run.end_round(step);
  }
  const json document = make_document(run.records, claims());
  const json comparison = row(document.at("comparisons"), "id", "toy.loop_equivalence");
  CHECK(comparison.at("per") == "seed");
  CHECK(comparison.at("estimate").get<double>() == Approx(-0.10));
  CHECK(comparison.at("verdict") == "regressed");
  REQUIRE(comparison.at("paired_rows").size() == 6);
  CHECK(comparison.at("paired_rows").at(5).at("seed") == 5);
  CHECK(comparison.at("paired_rows").at(5).at("lost") == 2);
  CHECK(comparison.at("paired_rows").at(5).at("p") == 0.5);
}

TEST_CASE("a metric that the catalogue declares exact is its own interval, any other measured once is not") {
  ToyRecords run;
  run.add(
      run.process(ToyRecords::count_step, "toy.count",
                  json::array({value("error", "", "lower", 3e-4), value("break_even_calls", "calls", "lower", 40)})));
  run.end_round(ToyRecords::count_step);
  const auto values = [&] { return make_document(run.records, claims()).at("values"); };
  const auto verdict = [&] {
    return row(make_document(run.records, claims()).at("claims"), "id", "toy.count").at("verdicts").at(0);
  };
  CHECK(verdict().at("advice") == "fails");
  CHECK(verdict().at("figure") == "not testable");
  CHECK(row(values(), "metric", "error").at("reason") == "exact: measured once");
  // a count of calls that depends on two times: no unit says so
  CHECK(row(values(), "metric", "break_even_calls").at("reason") == "measured once");
  CHECK(row(values(), "metric", "break_even_calls").at("exact") == false);
  for (json& metric : run.records[0].at("catalogue").at("scenarios").at(0).at("cases").at(3).at("metrics"))
    metric.erase("exact");
  CHECK(verdict().at("advice") == "undecided");
}

TEST_CASE("what is not a number enters no result") {
  ToyRecords run;
  run.timed_rounds(kSlower);
  for (json& record : run.records)
    if (record.at("record") == "process" && record.at("round") == 2) record.at("events").at(0)["values"][1] = nullptr;
  const json document = make_document(run.records, claims());
  CHECK(step_row(document).at("verdict") == "invalid");
  CHECK(step_row(document).at("reason").get<std::string>().find("no number in round 2") != std::string::npos);
  ToyRecords zero;
  zero.timed_rounds({1.1, 1.1, 0, 1.1, 1.1, 1.1});
  CHECK(step_row(make_document(zero.records, claims())).at("reason").get<std::string>().find("positive") !=
        std::string::npos);
}

TEST_CASE("a ratio past the largest number is no comparison, and leaves no half-filled row") {
  ToyRecords run;
  run.timed_rounds({1.1, 1.1, 1.1, 1.1, 1.1, 1.1});
  for (json& record : run.records)
    if (record.at("record") == "process")
      for (json& event : record.at("events"))
        if (event.contains("values") && record.at("round") >= 4)
          for (json& sample : event["values"])
            sample = record.at("configuration") == "toy.step{mode=eager}" ? 1e300 : 1e-300;
  const json comparison = step_row(make_document(run.records, claims()));
  CHECK(comparison.at("verdict") == "invalid");
  CHECK(comparison.at("reason").get<std::string>().find("too large") != std::string::npos);
  CHECK(comparison.at("estimate").is_null());
  CHECK(comparison.at("samples").empty());
}

TEST_CASE("the same records give the same bytes, and the document lies in the build folder for the schema's test") {
  ToyRecords run;
  run.add(run.process(ToyRecords::count_step, "toy.count", json::array({value("error", "", "lower", 3e-4)})));
  run.end_round(ToyRecords::count_step);
  run.timed_rounds(kSlower);
  json service = run.process(ToyRecords::count_step, "toy.service", json::array());
  for (const char* key : {"step", "round", "order"}) service[key] = nullptr;
  run.add(service);
  run.end();
  const json published = load_claims(std::string(ASSAY_SOURCE_DIR) + "/results/published/claims.json");
  const json document = make_document(run.records, published);
  CHECK(document_text(document) == document_text(make_document(run.records, published)));
  const std::filesystem::path folder = std::string(ASSAY_BINARY_DIR) + "/test_documents";
  std::filesystem::create_directories(folder);
  write_document(folder / "toy_run.json", document);
  CHECK(read_document(folder / "toy_run.json") == document);
}

TEST_CASE("records without a run, or of another schema, are refused") {
  CHECK_THROWS_WITH(make_document({}, claims()), Catch::Contains("first line"));
  ToyRecords run;
  run.records.front()["schema"] = 2;
  CHECK_THROWS_WITH(make_document(run.records, claims()), Catch::Contains("schema 2"));
}

TEST_CASE("all controls off make sides equal too, a parameter that stands for itself never does") {
  ToyRecords run;
  run.timed_rounds(kSlower);
  run.records.front()["options"]["off"] = {"all"};
  CHECK(step_row(make_document(run.records, claims())).at("verdict") == "invalid");
  json& mode = run.records.front()["catalogue"]["scenarios"][0]["cases"][0]["parameters"][0];
  mode["stands_for"] = json::object();
  CHECK(step_row(make_document(run.records, claims())).at("verdict") == "regressed");
}
