#include "harness/results/read_run.hpp"

#include "harness/errors/errors.hpp"
#include "harness/json/json_place.hpp"
#include "harness/results/store.hpp"

namespace assay::harness {
namespace {

void texts(const JsonPlace& p, std::initializer_list<const char*> names) {
  for (const char* name : names) p.at(name).text();
}

/// A number with its interval; all null where there is none.
void check_interval(const JsonPlace& p, const char* middle) {
  for (const char* name : {middle, "low", "high"})
    if (!p.at(name).null()) p.at(name).number();
  if (p.at("low").null() != p.at("high").null()) p.at("low").fail("both ends of an interval or neither", "one");
  if (!p.at("low").null()) p.at(middle).number();
}

void check_comparison(const JsonPlace& p) {
  texts(p, {"id", "program", "metric", "form", "better", "verdict", "reason"});
  check_interval(p, "estimate");
  if (p.at("form").text() != "ratio") return;
  for (const char* name : {"estimate", "low", "high"}) {  // a quotient of two such is finite, and so is its logarithm
    if (p.at(name).null()) continue;
    if (const double ratio = p.at(name).number(); !(ratio > 1e-150 && ratio < 1e150))
      p.at(name).fail("a ratio from 1e-150 to 1e150", p.at(name).value().dump());
  }
}

/// What the readers of whole runs (side_by_side, gate --against RUN) take from one; the schema of the rest is the
/// report's.
void check_run(const JsonPlace& run) {
  texts(run, {"id"});
  texts(run.at("assay"), {"commit"});
  texts(run.at("profile"), {"name"});
  run.at("state").at("fit").flag();
  texts(run.at("machine"), {"key"});
  run.at("machine").at("identity").object();
  run.at("scenarios").each([](const JsonPlace& one) { texts(one, {"name"}); });
  run.at("comparisons").each(check_comparison);
  run.at("values").each([](const JsonPlace& one) {
    texts(one, {"configuration", "program", "metric", "unit"});
    check_interval(one, "median");
  });
  run.at("claims").each([](const JsonPlace& claim) {
    texts(claim, {"id"});
    claim.at("verdicts").each([](const JsonPlace& verdict) {
      texts(verdict, {"program", "format", "advice"});
      if (verdict.at("advice").text() == "not tested yet") return;
      texts(verdict, {"figure"});
      check_interval(verdict, "estimate");
    });
  });
}

}  // namespace

nlohmann::json read_run(const std::filesystem::path& run) {
  const auto file = std::filesystem::is_directory(run) ? run / "run.json" : run;
  try {
    auto document = read_document(file);
    check_run({document, ""});
    return document;
  } catch (const JsonError& error) {
    throw CommandError(2, file.string() + ": is no run document: " + error.what());
  } catch (const std::runtime_error& error) {
    throw CommandError(2, error.what());
  }
}

}  // namespace assay::harness
