"""A machine that was not fit: the run says so, judges nothing and exits 5 (docs/exit_codes.md)."""

import json

import jsonschema
import pytest
from program import TOY_BODY, assay

LOAD = {"name": "load", "value": "87 % busy with others", "verdict": "unfit", "effect": "others take the processors", "command": ""}

CONTROL = {"name": "t.fuse", "summary": "", "on": True, "acts": True, "reason": ""}


@pytest.fixture(params=["run", "ablate"])
def ended(request, tmp_path, toy, schema):
    """A function: changes the records of a finished run, then makes its document once more."""
    run = tmp_path / "run"
    words = ["toy", "step"] if request.param == "ablate" else []
    program = toy()
    program.write_text(program.read_text().replace("'controls': []", f"'controls': {[CONTROL]!r}"))
    first = assay(request.param, *words, "--program", program, "--profile", "quick", "--out", run, "--no-report")
    assert first.returncode == 0, first.stderr

    def again(change, *more):
        records = [json.loads(line) for line in (run / "records.jsonl").read_text().splitlines()]
        for record in records:
            change(record)
        (run / "records.jsonl").write_text("".join(json.dumps(record) + "\n" for record in records))
        done = assay(request.param, "--resume", run, "--no-report", *more)
        document = json.loads((run / "run.json").read_text())
        jsonschema.validate(document, schema)
        return done, document

    return again


def found_unfit(record, moments):
    for moment in moments:
        if record.get(moment):
            record[moment]["doctor"] = [dict(LOAD)]


def test_a_median_steal_above_two_percent(ended):
    done, document = ended(lambda record: record.update(steal_percent=2.1) if record["record"] == "process" else None)
    assert done.returncode == 5
    assert "assay: nothing is judged: the machine was not fit: others took 2.1 % of its processors" in done.stderr
    assert document["state"]["fit"] is False
    assert {c["verdict"] for c in document["comparisons"]} == {"invalid"}


def test_two_percent_are_fit(ended):
    done, document = ended(lambda record: record.update(steal_percent=2.0) if record["record"] == "process" else None)
    assert done.returncode == 0
    assert document["state"]["fit"] is True


def test_what_the_doctor_calls_unfit_from_beginning_to_end(ended):
    done, document = ended(lambda record: found_unfit(record, ["state_before", "state_after"]))
    reason = "the machine was not fit: the doctor found load: 87 % busy with others (others take the processors)"
    assert done.returncode == 5
    assert f"assay: nothing is judged: {reason}\n" in done.stderr
    assert document["state"]["reasons"] == [reason]
    assert {c["verdict"] for c in document["comparisons"]} == {"invalid"}


@pytest.mark.parametrize("moment", ["state_before", "state_after"])
def test_what_came_and_went_is_a_concern(ended, moment):
    done, document = ended(lambda record: found_unfit(record, [moment]))
    assert done.returncode == 0
    assert document["state"]["fit"] is True
    assert any("load: 87 % busy with others" in concern for concern in document["state"]["concerns"])


def test_a_wrong_answer_comes_first_and_both_causes_are_printed(tmp_path, toy):
    run = tmp_path / "run"
    program = toy(TOY_BODY.replace("passed=True", "passed=False"))
    words = ["run", "--program", program, "--profile", "quick", "--no-report", "--expect", "tracing.eager_step=holds"]
    assert assay(*words, "--out", run).returncode == 3
    records = (run / "records.jsonl").read_text()
    lines = [json.loads(line) for line in records.splitlines()]
    for line in lines:
        if line["record"] == "process":
            line["steal_percent"] = 50
    (run / "records.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    done = assay("run", "--resume", run, "--no-report", "--expect", "tracing.eager_step=holds")
    assert done.returncode == 3
    assert "assay: expected tracing.eager_step=holds" in done.stderr
    assert "assay: nothing is judged: the machine was not fit" in done.stderr
