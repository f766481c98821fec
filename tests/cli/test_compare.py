"""./assay compare and gate --against RUN: what may be set beside what, and unusable documents."""

import copy
import json

import pytest
from gate_program import document_of, valid_junit, valid_sarif
from program import ROOT, TOY_BODY, assay

SAMPLE = json.loads((ROOT / "tests/plots/sample_run.json").read_text())


@pytest.fixture
def stored(tmp_path):
    def make(name, **changes):
        document = copy.deepcopy(SAMPLE)
        document["id"] = name
        document["machine"]["key"] = changes.pop("key", SAMPLE["machine"]["key"])
        document.update(changes)
        folder = tmp_path / name
        folder.mkdir()
        (folder / "run.json").write_text(json.dumps(document))
        return folder

    return make


def test_runs_of_one_machine_show_claims_ratios_and_values(stored):
    done = assay("compare", stored("a"), stored("b"), "--json")
    assert done.returncode == 0, done.stderr
    sides = json.loads(done.stdout)
    assert sides["same_machine"] is True
    assert sides["claims"] and sides["ratios"] and sides["values"]
    for table in ("claims", "ratios", "values"):
        assert all(len(row["cells"]) == 2 for row in sides[table])
    assert sides["ratios"][0]["cells"][0] == sides["ratios"][0]["cells"][1]


def test_times_of_two_machines_are_not_shown_unless_asked_and_then_marked(stored):
    a, b = stored("a"), stored("b", key="fedcba9876543210")
    done = assay("compare", a, b)
    assert done.returncode == 0, done.stderr
    assert "times of 2 different machines are not set beside each other" in done.stdout
    assert "Values" not in done.stdout
    done = assay("compare", a, b, "--absolute")
    assert "Values (!: of different machines, not comparable)" in done.stdout
    assert " !" in done.stdout


def test_markdown_tables(stored):
    done = assay("compare", stored("a"), stored("b") / "run.json", "--markdown")
    lines = done.stdout.splitlines()
    assert any(line.startswith("| --- |") for line in lines)
    for line in lines:
        assert not line.startswith("|") or line.endswith("|") or line.endswith("| ")


def test_runs_without_a_common_benchmark(stored):
    done = assay("compare", stored("a"), stored("b", comparisons=[], values=[]))
    assert done.returncode == 4
    assert "no benchmark in common" in done.stderr


def test_one_run_is_no_comparison(stored):
    assert assay("compare", stored("a")).returncode == 2


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        (json.dumps({**SAMPLE, "schema": 99}), "schema 99, and this assay reads schema 1"),
        ("{", "is no run document"),
        (json.dumps({"schema": 1}), "expected 'id', found nothing of that name"),
        (None, "cannot be read"),
    ],
    ids=["newer schema", "half a document", "another document", "no document"],
)
@pytest.mark.parametrize("command", ["compare", "gate"])
def test_a_document_that_cannot_be_used(stored, tmp_path, text, meant, command):
    bad = tmp_path / "bad.json"
    if text is not None:
        bad.write_text(text)
    done = assay("compare", stored("a"), bad) if command == "compare" else assay("gate", "--against", bad)
    assert done.returncode == 2, done.stderr
    assert meant in done.stderr


def test_a_gate_against_a_stored_run_without_a_shared_scenario(stored):
    done = assay("gate", "--against", stored("a", scenarios=[{"name": "elsewhere", "question": "?"}]))
    assert done.returncode == 4
    assert "share no scenario with a ratio" in done.stderr


def test_the_doctor_says_what_it_sees_and_what_changes_it():
    done = assay("doctor", "--json")
    said = json.loads(done.stdout)
    assert done.returncode == (5 if said["verdict"] == "unfit" else 0)
    names = {one["name"] for one in said["findings"]}
    assert {"governor", "turbo", "SMT", "processors", "cgroup quota", "load", "steal", "heavy processes"} <= names
    assert {"transparent huge pages", "address randomisation", "thermal state", "swap", "build", "environment", "GPU", "other runs"} <= names
    for one in said["findings"]:
        assert one["verdict"] == "ok" or one["effect"]
    text = assay("doctor").stdout
    assert "This machine" in text or "Measurements are possible" in text


def test_the_doctor_calls_a_machine_that_measures_already_unfit(tmp_path):
    import fcntl

    lock = tmp_path / "lock"
    with lock.open("w") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        done = assay("doctor", env={"ASSAY_LOCK": str(lock)})
    assert done.returncode == 5
    assert "another run is measuring" in done.stdout


def test_a_gate_against_a_stored_run_compares_ratios_and_says_why(toy, tmp_path):
    then = tmp_path / "then"
    assert assay("run", "--program", toy(), "--profile", "quick", "--no-report", "--out", then).returncode == 0
    same = assay("gate", "--against", then, "--program", toy(name="again"), "--out", tmp_path / "same")
    assert same.returncode == 0, same.stderr + same.stdout
    assert "toy.slow  step_time ratio  same" in same.stdout
    assert "Only ratios that were formed inside a run are compared" in same.stdout
    worse = toy(TOY_BODY.replace("1.5 if", "1.8 if"), name="slower")
    files = ["--junit", tmp_path / "j.xml", "--sarif", tmp_path / "s.sarif", "--markdown", tmp_path / "m.md"]
    done = assay("gate", "--against", then / "run.json", "--program", worse, "--out", tmp_path / "worse", "--json", *files)
    assert done.returncode == 1, done.stderr
    document = json.loads(done.stdout)
    assert document == document_of(tmp_path / "worse")
    (row,) = document["gate"]["benchmarks"]
    assert row["verdict"] == "regressed"
    assert row["estimate"] == pytest.approx(1.2)
    assert [c["tag"] for case in valid_junit(tmp_path / "j.xml")["children"] for c in case["children"]] == ["failure"]
    assert valid_sarif(tmp_path / "s.sarif")["results"][0]["ruleId"] == "gate/regressed"
    assert "**regressed**" in (tmp_path / "m.md").read_text()


@pytest.mark.parametrize(
    ("arguments", "meant"),
    [
        (["--threads", "2"], "--threads 2: the stored run used 1"),
        (["--seed", "5"], "--seed 5: the stored run used 0"),
        (["--budget", "3m"], "--budget, --rounds and --order-seed go with a commit"),
        (["--rounds", "8"], "go with a commit"),
        (["toi"], "did you mean 'toy'?"),
    ],
)
def test_a_gate_against_a_stored_run_measures_as_that_run_did(stored, toy, tmp_path, arguments, meant):
    then = stored("a")
    document = json.loads((then / "run.json").read_text())
    document["options"] = {**document["options"], "threads": 1, "seed": 0, "off": []}
    document["scenarios"] = [{"name": "toy", "question": "?"}]
    (then / "run.json").write_text(json.dumps(document))
    done = assay("gate", "--against", then, "--program", toy(), "--out", tmp_path / "run", *arguments)
    assert done.returncode == 2, done.stderr + done.stdout
    assert meant in done.stderr
    assert not (tmp_path / "run").exists()


def test_a_gate_against_a_folder_without_a_finished_run(tmp_path):
    done = assay("gate", "--against", tmp_path)
    assert done.returncode == 2
    assert "holds no run.json" in done.stderr
