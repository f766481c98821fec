#include "tests/harness/run/toy.hpp"

#include <stdlib.h>

#include <fstream>

#include "harness/run/records.hpp"

namespace assay::harness::toy {
namespace {

const char* const head = R"py(#!/usr/bin/env -S python3 -S -E
import json, os, sys, time
def need(): return {"artifact": "weights", "from": "toy.weights", "same_seed": False}
def case(name, kind, needs=(), parameters=(), **more):
    return dict(name=name, kind=kind, parameters=list(parameters), metrics=[{"name": "t", "unit": "ns", "better": "lower"}], needs=list(needs), **more)
mode = {"name": "mode", "values": ["a", "b"], "default": "a", "stands_for": {"b": {"off": [], "environment": {"TOY_MODE": "b"}}}}
cases = [case("toy.weights", "exact"), case("toy.fit", "trained", [need()]), case("toy.step", "timed", [need()], [mode])]
groups = [{"name": "toy.step", "configurations": ["toy.step", "toy.step{mode=b}"]}]
)py";

const char* const tail = R"py(
catalogue = {"protocol": 1, "program": {"name": "toy", "version": "1"}, "controls": [],
  "profiles": [{"name": "quick", "rounds": 3, "repetitions": 2, "seeds": 2, "lengths": {"toy.epochs": 4, "other.rows": 1}}],
  "scenarios": [{"name": "toy", "question": "?", "budget_s": {"quick": 10}, "cases": cases, "groups": groups,
    "comparisons": [{"id": "toy.b", "metric": "t", "form": "ratio", "margin": 0.05, "baseline": "toy.step", "candidate": "toy.step{mode=b}"}]}]}
if sys.argv[1] == "cases":
    print(json.dumps(catalogue)); sys.exit(0)
name, options = sys.argv[2], {}
for key, value in zip(sys.argv[3::2], sys.argv[4::2]): options.setdefault(key[2:], []).append(value)
pairs = lambda key: dict(text.split("=", 1) for text in options.get(key, []))
settings, artifacts, services, lengths = pairs("set"), pairs("artifact"), pairs("service"), pairs("length")
out, seed = options["out"][0], int(options["seed"][0])
def say(event, **fields): print(json.dumps(dict(event=event, **fields)), flush=True)
def artifact(text, digest=None):
    import hashlib
    with open(os.path.join(out, "w.bin"), "w") as file: file.write(text)
    say("artifact", name="weights", path="w.bin", sha256=digest or hashlib.sha256(text.encode()).hexdigest(), format="raw")
say("start", protocol=1, case=name, parameters=settings, lengths=lengths, seed=seed, threads=1, program={}, controls=[])
if name == "toy.weights": artifact("w")
if name == "toy.step": say("samples", metric="t", unit="ns", better="lower", values=[1.0, 2.0], warmup=0)
body()
say("finish", status="ok", reason="", peak_bytes=1)
)py";

}  // namespace

Folder::Folder() {
  std::string name = (std::filesystem::temp_directory_path() / "assay-test-XXXXXX").string();
  path = mkdtemp(name.data());
  setenv("ASSAY_LOCK", (path / "lock").c_str(), 1);
}

Folder::~Folder() {
  std::error_code ignored;
  std::filesystem::remove_all(path, ignored);
}

std::filesystem::path program(const Folder& folder, const std::string& body, const std::string& cases_more) {
  const auto file = folder.path / "toy.py";
  std::ofstream(file) << head << cases_more << "\ndef body():\n" << (body.empty() ? "    pass\n" : body) << tail;
  std::filesystem::permissions(file, std::filesystem::perms::owner_all);
  return file;
}

HostContext host(const std::string& key) {
  return {{{"key", key}, {"identity", nlohmann::json::object()}}, [] { return nlohmann::json::object(); }};
}

RunOptions options(const Folder& folder, const std::filesystem::path& program) {
  RunOptions result;
  result.programs = {program};
  result.profile = "quick";
  result.seed = 7;
  result.out = folder.path / "run";
  return result;
}

std::vector<nlohmann::json> run(const Folder& folder, const std::filesystem::path& program) {
  const auto plan = prepare_run(options(folder, program), host());
  execute(plan, host(), {}, never);
  return read_records(plan.folder / "records.jsonl");
}

std::vector<nlohmann::json> of(const std::vector<nlohmann::json>& records, const std::string& configuration) {
  std::vector<nlohmann::json> result;
  for (const auto& record : records)
    if (record.at("record") == "process" && record.at("configuration") == configuration) result.push_back(record);
  return result;
}

}  // namespace assay::harness::toy
