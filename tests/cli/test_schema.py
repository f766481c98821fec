"""results/schema/run-1.schema.json accepts what assay writes and refuses what nobody should be able to draw or judge."""

import copy
import json
from pathlib import Path

import jsonschema
import pytest

ROOT = Path(__file__).resolve().parents[2]
SCHEMA = json.loads((ROOT / "results/schema/run-1.schema.json").read_text())
SAMPLE = json.loads((ROOT / "tests/plots/sample_run.json").read_text())
VALIDATOR = jsonschema.Draft202012Validator(SCHEMA)


def errors(document: dict) -> list[str]:
    return [f"{list(error.absolute_path)}: {error.message[:120]}" for error in VALIDATOR.iter_errors(document)]


def by_verdict(document: dict, verdict: str) -> dict:
    return next(row for row in document["comparisons"] if row["verdict"] == verdict)


def test_the_schema_is_one():
    jsonschema.Draft202012Validator.check_schema(SCHEMA)


def test_the_sample_is_valid_and_holds_every_kind_of_verdict():
    assert errors(SAMPLE) == []
    assert {row["verdict"] for row in SAMPLE["comparisons"]} == {"improved", "regressed", "same", "undecided", "invalid"}


# The C++ tests, which run before, leave the documents that they made here.
@pytest.mark.parametrize("path", sorted(ROOT.glob("build/*/test_documents/*.json")), ids=lambda path: path.parts[-3])
def test_documents_that_the_harness_made_are_valid(path):
    assert errors(json.loads(path.read_text())) == []


def test_what_a_program_adds_is_kept():
    document = copy.deepcopy(SAMPLE)
    document["processes"][0]["events"].append({"event": "weather", "sky": "grey"})
    document["processes"][0]["events"][0]["more"] = 1
    assert errors(document) == []


def drop(document, field):
    del document[field]


WRONG = {
    "another schema": lambda d: d.update(schema=2),
    "no comparisons": lambda d: drop(d, "comparisons"),
    "a time that is no UTC": lambda d: d.update(created="30 November"),
    "an unknown verdict": lambda d: d["comparisons"][0].update(verdict="faster"),
    "a ratio without correctness": lambda d: by_verdict(d, "invalid").update(estimate=1.2),
    "invalid without a reason": lambda d: by_verdict(d, "invalid").update(reason=""),
    "a verdict without an estimate": lambda d: by_verdict(d, "same").update(estimate=None),
    "an interval without its coverage": lambda d: d["values"][-1].update(confidence=None),
    "a coverage without its interval": lambda d: d["values"][-1].update(low=None),
    "a coverage below 95 %": lambda d: d["values"][-1].update(confidence=0.9),
    "a sample as text": lambda d: d["values"][-1].update(samples=["0.93"]),
    "an unknown direction": lambda d: d["values"][-1].update(better="bigger"),
    "no such configuration": lambda d: d["values"][-1].update(configuration="tracing.fit{}"),
    "failed without a reason": lambda d: d["failures"][0].update(reason=""),
    "a skipped one among the failures": lambda d: d["failures"][0].update(status="skipped"),
    "an unknown advice": lambda d: d["claims"][0]["verdicts"][0].update(advice="perhaps"),
    "an unknown figure": lambda d: d["claims"][0]["verdicts"][0].update(figure="close"),
    "an unknown bound": lambda d: d["claims"][0].update(holds={"ratio_about": 1}),
    "an event without a name": lambda d: d["processes"][0]["events"].append({"value": 1}),
    "a check without its limit": lambda d: d["processes"][0]["events"].append({"event": "check", "name": "x", "passed": True, "measured": 1}),
}


@pytest.mark.parametrize("spoil", WRONG.values(), ids=WRONG.keys())
def test_a_wrong_document_is_refused(spoil):
    document = copy.deepcopy(SAMPLE)
    spoil(document)
    assert errors(document) != []


def calibrations() -> list[Path]:
    return sorted(ROOT.glob("results/machines/*/calibration.json"))


@pytest.mark.parametrize("path", calibrations(), ids=lambda path: path.parent.name)
def test_what_is_kept_of_a_machine_is_valid(path):
    schema = json.loads((ROOT / "results/schema/calibration-1.schema.json").read_text())
    validator = jsonschema.Draft202012Validator(schema)
    document = json.loads(path.read_text())
    assert not list(validator.iter_errors(document))
    assert document["machine"]["key"] == path.parent.name
    of_a_try = jsonschema.Draft202012Validator({**schema["$defs"]["try"], "$defs": schema["$defs"]})
    tries = [json.loads(line) for line in (path.parent / "tries.jsonl").read_text().splitlines()]
    assert [list(of_a_try.iter_errors(one)) for one in tries] == [[] for _ in tries]
    wrong = {**document, "benchmarks": [{**document["benchmarks"][0], "preset": None, "reason": ""}]}
    assert list(validator.iter_errors(wrong))


def test_the_kept_calibration_is_what_its_tries_say():
    """The bounds are Clopper and Pearson's, found here by bisection of the binomial's tails."""
    from math import comb

    def tail(successes, trials, p):  # P(X >= successes)
        return sum(comb(trials, k) * p**k * (1 - p) ** (trials - k) for k in range(successes, trials + 1))

    def solve(wanted, of):
        low, high = 0.0, 1.0
        for _ in range(60):
            middle = (low + high) / 2
            low, high = (middle, high) if of(middle) < wanted else (low, middle)
        return low

    (path,) = calibrations()
    document = json.loads(path.read_text())
    tries = [json.loads(line) for line in (path.parent / "tries.jsonl").read_text().splitlines()]
    for row in document["injected"]:
        verdicts = [b["verdict"] for one in tries if one["slower"] == row["slower"] for b in one["benchmarks"]]
        found = row["found"]
        assert (found["count"], found["of"]) == (verdicts.count("regressed"), len(verdicts))
        count, of = found["count"], found["of"]
        assert found["low"] == pytest.approx(solve(0.025, lambda p: tail(count, of, p)), abs=1e-6)
    unchanged = [b["verdict"] for one in tries if one["slower"] == 0 for b in one["benchmarks"]]
    for kind, verdicts in (("regressed", ["regressed"]), ("regressed_or_improved", ["regressed", "improved"])):
        alarms = document["false_alarms"][kind]["benchmarks"]
        assert (alarms["count"], alarms["of"]) == (sum(v in verdicts for v in unchanged), len(unchanged))
        assert alarms["high"] == pytest.approx(solve(0.975, lambda p: tail(alarms["count"] + 1, alarms["of"], p)), abs=1e-6)
    both = document["false_alarms"]
    assert both["regressed_or_improved"]["gates"]["bound"] == pytest.approx(2 * both["regressed"]["gates"]["bound"])
