#pragma once
#include <iosfwd>
#include <string>

#include <nlohmann/json.hpp>

namespace assay::harness {

// The outputs of a gate, each a pure function of its run document (with a `gate` object).

/// One line a benchmark, then the counts and the verdict.
void print_gate(const nlohmann::json& document, std::ostream& out, bool colour);

/// The same as GitHub Markdown: for a job summary or a comment.
std::string gate_markdown(const nlohmann::json& document);

/// JUnit XML: one test case a benchmark. A regression is a failure and an invalid benchmark an error; undecided, new
/// and gone benchmarks are skipped. A cause that belongs to no benchmark is an error of the suite's own test case.
std::string gate_junit(const nlohmann::json& document);

/// SARIF 2.1.0: one result a benchmark that is not the same, at the line that declares it. If the program does not say
/// which line that is, the result is at the first line of scenarios/NAME/README.md.
nlohmann::json gate_sarif(const nlohmann::json& document);

/// Whether the candidate was built from changes that are in no commit.
bool dirty(const nlohmann::json& document);
/// "regressed +5.2 % [+4.1, +6.0]", "same", "1200 -> 1210": the row in a few words.
std::string row_text(const nlohmann::json& row);
/// The reason, the minimum detectable effect and how many rounds would settle it; empty if there is nothing to say.
std::string row_note(const nlohmann::json& row);
/// "18 same, 1 undecided, 1 regressed".
std::string counts_text(const nlohmann::json& gate);
/// Both false-alarm bounds in a sentence; empty if the gate's procedure was not used.
std::string bound_text(const nlohmann::json& gate);
/// "passed", "failed: …" with every cause.
std::string outcome_text(const nlohmann::json& gate);

}  // namespace assay::harness
