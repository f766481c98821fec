#include "harness/results/against.hpp"

#include "tests/catch.hpp"

using namespace assay::harness;
using nlohmann::json;

namespace {

const json kScenarios = json::array(
    {{{"name", "toy"},
      {"groups", {{{"name", "toy.step"}, {"configurations", {"toy.step"}}}}},
      {"cases",
       {{{"name", "toy.step"},
         {"kind", "timed"},
         {"metrics",
          {{{"name", "step_time"}, {"unit", "ns"}}, {{"name", "kernels"}, {"unit", "kernels"}, {"exact", true}}}}}}}}});

MetricSamples samples(const std::vector<double>& values) {
  MetricSamples result;
  result.unit = "ns", result.better = "lower", result.per = "round";
  for (std::size_t i = 0; i < values.size(); ++i) result.by_round[static_cast<std::int64_t>(i) + 1] = values[i];
  return result;
}

Measured measured(const std::string& program, const std::vector<double>& values) {
  Measured result;
  result.program = program;
  result.configuration = "toy.step";
  result.metrics["step_time"] = samples(values);
  return result;
}

const std::vector<double> kOurs{50, 51, 52, 53, 54, 55};
const std::vector<double> kTheirs{100, 100, 100, 100, 100, 100};

Measurements both() {
  Measurements all;
  all["assay"]["toy.step"] = measured("assay", kOurs);
  all["jax"]["toy.step"] = measured("jax", kTheirs);
  return all;
}

json only_row(const Measurements& measurements, const std::vector<std::string>& unfit = {}) {
  const json rows = against_others({"assay", "jax"}, measurements, kScenarios, unfit);
  REQUIRE(rows.size() == 1);
  return rows.at(0);
}

}  // namespace

TEST_CASE("own against peer: ours over theirs, formed round by round") {
  const json row = only_row(both());
  CHECK(row.at("program") == "assay");
  CHECK(row.at("peer") == "jax");
  CHECK(row.at("ours") == 52.5);
  CHECK(row.at("theirs") == 100);
  CHECK(row.at("samples").at(1).get<double>() == Approx(0.51));
  CHECK(row.at("estimate").get<double>() == Approx(std::sqrt(0.52 * 0.53)));
  CHECK(row.at("low").get<double>() == Approx(0.50));
  CHECK(row.at("high").get<double>() == Approx(0.55));
  CHECK(row.at("verdict") == "improved");
  CHECK(row.at("call_overhead").is_null());
  CHECK(row.at("without_call_overhead").is_null());
}

TEST_CASE("the peer's call overhead is subtracted from its own time, in its own round") {
  Measurements all = both();
  all["jax"]["toy.step"].metrics["call_overhead"] = samples({40, 41, 42, 43, 44, 45});
  const json row = only_row(all);
  CHECK(row.at("call_overhead") == 42.5);
  CHECK(row.at("estimate").get<double>() == Approx(std::sqrt(0.52 * 0.53)));  // as before
  const json less = row.at("without_call_overhead");
  CHECK(less.at("low").get<double>() == Approx(50.0 / 60));
  CHECK(less.at("high").get<double>() == Approx(1.0));
  CHECK(less.at("estimate").get<double>() == Approx(std::sqrt(52.0 / 58 * (53.0 / 57))));
}

TEST_CASE("a call overhead is a time: it is not subtracted from a share") {
  Measurements all = both();
  all["jax"]["toy.step"].metrics["call_overhead"] = samples({40, 41, 42, 43, 44, 45});
  json shares = kScenarios;
  for (json& metric : shares.at(0).at("cases").at(0).at("metrics")) metric["unit"] = "";
  const json row = against_others({"assay", "jax"}, all, shares, {}).at(0);
  CHECK(row.at("call_overhead").is_null());
  CHECK(row.at("without_call_overhead").is_null());
  CHECK(row.at("estimate").is_number());
}

TEST_CASE("a call overhead above the time leaves no second ratio, and the first one stands") {
  Measurements all = both();
  all["jax"]["toy.step"].metrics["call_overhead"] = samples({100, 101, 102, 103, 104, 105});
  const json row = only_row(all);
  CHECK(row.at("verdict") == "improved");
  CHECK(row.at("without_call_overhead").at("estimate").is_null());
  CHECK(row.at("without_call_overhead").at("verdict") == "invalid");
  CHECK_FALSE(row.at("without_call_overhead").at("reason").get<std::string>().empty());
}

TEST_CASE("a peer whose answers differ shows no ratio, and its row says which check") {
  Measurements all = both();
  all["jax"]["toy.step"].failed_checks.push_back({"toy.step", "gradients equal assay's", 0.5, 1e-5, 6});
  const json row = only_row(all);
  CHECK(row.at("verdict") == "invalid");
  CHECK(row.at("estimate").is_null());
  CHECK(row.at("samples").empty());
  CHECK(row.at("reason").get<std::string>().find("jax:toy.step: check \"gradients equal assay's\"") == 0);
}

TEST_CASE("a peer that was skipped is a row with the reason, and what it does not offer is none") {
  Measurements all = both();
  all["jax"]["toy.step"] = {};
  all["jax"]["toy.step"].program = "jax";
  all["jax"]["toy.step"].configuration = "toy.step";
  all["jax"]["toy.step"].skipped = "JAX is not installed";
  CHECK(only_row(all).at("reason") == "jax:toy.step was skipped: JAX is not installed");
  all["jax"].erase("toy.step");
  CHECK(against_others({"assay", "jax"}, all, kScenarios, {}).empty());
}

TEST_CASE(
    "a peer that failed is one row, in the metric's unit: the candidate's counts are not compared with anybody's") {
  Measurements all = both();
  all["assay"]["toy.step"].metrics["kernels"] = samples({18});
  all["jax"]["toy.step"] = {};
  all["jax"]["toy.step"].program = "jax";
  all["jax"]["toy.step"].configuration = "toy.step";
  all["jax"]["toy.step"].failed = "it was ended by signal 11";
  const json row = only_row(all);
  CHECK(row.at("metric") == "step_time");
  CHECK(row.at("unit") == "ns");
}

TEST_CASE("a machine that was not fit judges no peer either") {
  const json row = only_row(both(), {"the machine was not fit"});
  CHECK(row.at("verdict") == "invalid");
  CHECK(row.at("reason") == "the machine was not fit");
}
