#include "harness/claims/reproduction_table.hpp"

#include <sstream>

#include "tests/catch.hpp"

using namespace assay::harness;
using nlohmann::json;

namespace {

json verdict(const std::string& program, const std::string& advice, const std::string& figure, json estimate,
             const std::string& reason = "") {
  return {{"program", program}, {"format", ""},     {"advice", advice}, {"figure", figure}, {"estimate", estimate},
          {"low", estimate},    {"high", estimate}, {"unit", ""},       {"reason", reason}};
}

json against(const std::string& peer, json estimate, json without_call_overhead, const std::string& reason = "") {
  return {{"configuration", "models.step"},
          {"metric", "step_time"},
          {"unit", "ns"},
          {"program", "assay"},
          {"peer", peer},
          {"ours", 320000},
          {"theirs", 1600000},
          {"call_overhead", 310000},
          {"estimate", estimate},
          {"low", nullptr},
          {"high", nullptr},
          {"reason", reason},
          {"without_call_overhead", std::move(without_call_overhead)}};
}

/// TensorFlow twice, JAX that cannot be compared, ONNX Runtime that is not installed, and a peer without the claim.
json document() {
  json claim{{"id", "tracing.eager_step"},
             {"section", 2},
             {"advice", "leaving tracing off costs little"},
             {"published", {{"ratio", 9.9}, {"text", "9.9x a step"}}},
             {"holds", {{"ratio_at_most", 1.1}}}};
  claim["verdicts"] = {verdict("assay", "fails", "same direction", 1.16),
                       verdict("jax", "fails", "same direction", 4.0),
                       verdict("onnxruntime", "not testable here", "not testable", nullptr,
                               "onnxruntime does not offer both sides of tracing.eager_step"),
                       verdict("tensorflow{onednn=on}", "fails", "undecided", 15.1),
                       verdict("tensorflow{onednn=off}", "fails", "reproduced", 12.2)};
  json all{{"state", {{"reasons", json::array()}}}, {"claims", {claim}}};
  for (const char* name : {"assay", "jax", "onnxruntime", "tensorflow{onednn=on}", "tensorflow{onednn=off}", "pytorch"})
    all["programs"].push_back({{"name", name}});
  for (const char* name : {"assay", "jax", "onnxruntime", "tensorflow{onednn=on}", "tensorflow{onednn=off}"})
    all["processes"].push_back({{"program", name}, {"status", "ok"}});
  all["processes"].push_back({{"program", "pytorch"}, {"status", "skipped"}});
  all["skipped"] = {{{"program", "pytorch"}, {"reason", "PyTorch is not installed; ./assay peers install pytorch"}},
                    {{"program", "pytorch"}, {"reason", "it needs 'threads', which was skipped: PyTorch is …"}}};
  all["against"] = {against("tensorflow{onednn=off}", 0.2, {{"estimate", 0.248}, {"low", nullptr}, {"high", nullptr}}),
                    against("jax", nullptr, nullptr, "jax:models.step: check \"gradients\" failed"),
                    against("pytorch", nullptr, nullptr, "was skipped")};
  return all;
}

std::string printed(const json& all = document()) {
  std::ostringstream out;
  print_reproduction(all, out, false, 120);
  return out.str();
}

std::size_t place_of(const std::string& text, const std::string& part) {
  INFO(part << " in\n" << text);
  const auto found = text.find(part);
  REQUIRE(found != std::string::npos);
  return found;
}

}  // namespace

TEST_CASE("the framework of origin stands first under a claim, the engine last") {
  const std::string text = printed();
  const auto claim = place_of(text, "published: 9.9x a step");
  const auto on = place_of(text, "  tensorflow{onednn=on} "), off = place_of(text, "  tensorflow{onednn=off} "),
             jax = place_of(text, "  jax "), own = place_of(text, "  assay ");
  CHECK(claim < on);
  CHECK(on < off);
  CHECK(off < jax);
  CHECK(jax < own);
  CHECK(text.find("onnxruntime does not offer") == std::string::npos);
}

TEST_CASE("own times over a peer's, with and without its call overhead") {
  const std::string text = printed();
  place_of(text, "models.step  step_time  320 us");
  place_of(text, "1.6 ms");
  place_of(text, "0.2x");
  place_of(text, "0.248x without its overhead of 310 us a call");
}

TEST_CASE("no ratio where answers differ, and one line for a peer that is not installed") {
  const std::string text = printed();
  place_of(text, "no ratio");
  place_of(text, "jax:models.step: check \"gradients\" failed");
  CHECK(text.find("was skipped") == std::string::npos);
  const auto line = place_of(text, "Skipped: PyTorch is not installed; ./assay peers install pytorch");
  CHECK(text.find("PyTorch", line + 20) == std::string::npos);
}

TEST_CASE("shares and bytes beside a peer's keep their unit") {
  json all = document();
  all["against"][0].update({{"metric", "waiting_share"}, {"unit", ""}, {"ours", 0.04}, {"theirs", 0.23}});
  all["against"][0]["without_call_overhead"] = nullptr;
  const std::string text = printed(all);
  place_of(text, "models.step  waiting_share  4 %\n");
  place_of(text, " 23 %  ");
}

TEST_CASE("parts of the table stand one empty line apart, with claims and without, whoever is absent") {
  for (const bool claims : {true, false})
    for (const bool peers : {true, false})
      for (const bool absent : {true, false}) {
        json all = document();
        if (!claims) all["claims"] = json::array();
        if (!peers) all["against"] = json::array();
        if (!absent) all["skipped"] = json::array();
        const std::string text = printed(all);
        INFO(text);
        CHECK(text.find("\n\n\n") == std::string::npos);
        CHECK_FALSE(text.ends_with("\n\n"));
        CHECK_FALSE(text.starts_with("\n"));
        if (claims && peers) CHECK(text.find("\n\nWhat assay took") != std::string::npos);
        if (absent && peers) CHECK(text.find("\n\nSkipped") != std::string::npos);
      }
}
