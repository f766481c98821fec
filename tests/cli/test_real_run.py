"""The real scenarios, end to end, once: the document validates, every check passed, every claim has its verdicts. No times are judged."""

import json

import jsonschema
import pytest
from program import ROOT, assay


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    folder = tmp_path_factory.mktemp("real") / "run"
    # Those whose cases have tests of their own (kernels, pipeline, precision) would take four minutes more, and twice.
    done = assay("run", "machine", "tracing", "models", "--profile", "quick", "--out", folder, timeout=400)
    assert done.returncode == 0, done.stderr
    return folder, json.loads((folder / "run.json").read_text()), done


def events(document, kind, configuration=None):
    return [
        e
        for p in document["processes"]
        if p["used"] and configuration in (None, p["configuration"])
        for e in p["events"]
        if e["event"] == kind
    ]


def test_the_document_validates(run, schema):
    _, document, _ = run
    jsonschema.validate(document, schema)
    assert document["failures"] == []
    text = json.dumps(document)
    assert "NaN" not in text and "Infinity" not in text


def test_every_check_passed(run):
    _, document, _ = run
    checks = events(document, "check")
    assert len(checks) > 100
    assert [c for c in checks if not c["passed"]] == []


def test_controls_were_what_the_mode_says(run):
    _, document, _ = run
    for configuration, on in (("tracing.step", True), ("tracing.step{mode=eager}", False)):
        for start in events(document, "start", configuration):
            assert {c["name"]: c["on"] for c in start["controls"]}["engine.trace"] is on


def test_exact_counts_of_the_protocol(run):
    _, document, _ = run
    values = {(v["configuration"], v["metric"]): v["samples"] for v in document["values"]}
    assert set(values["tracing.fit", "updates"]) == {6 * 63}
    assert set(values["tracing.loop", "updates"]) == {6 * 62}
    assert len(values["tracing.fit", "accuracy"]) == 6
    assert min(values["tracing.fit", "accuracy"]) > 0.90  # what NumPy gets too: test_reference.py
    assert values["tracing.metric_average", "last_batch_rows"] == [2000 % 512]
    assert values["tracing.metric_average", "batch_mean_error"][0] > 1e-6


def test_every_claim_is_there_once(run):
    _, document, _ = run
    published = json.loads((ROOT / "results/published/claims.json").read_text())["claims"]
    assert [c["id"] for c in document["claims"]] == [c["id"] for c in published]
    tested = {c["id"]: c["verdicts"][0]["advice"] for c in document["claims"] if c["section"] == 2}
    assert len(tested) == 5
    assert "not tested yet" not in tested.values()
    others = {c["verdicts"][0]["advice"] for c in document["claims"] if c["section"] != 2}
    assert others == {"not tested yet"}


def test_two_processes_agree_bit_for_bit(run):
    """The first loss of a step is the same number in every round: same seed, threads and build."""
    _, document, _ = run
    for configuration in ("tracing.step", "tracing.step{mode=eager}"):
        measured = {c["measured"] for c in events(document, "check", configuration) if c["name"].startswith("loss fell")}
        assert len(measured) == 1


def test_the_report_is_drawn_and_drawn_again_alike(run, tmp_path):
    folder, _, done = run
    assert str(folder / "report/index.html") in done.stdout
    assert assay("report", folder, "--out", tmp_path / "again").returncode == 0
    assert (tmp_path / "again/index.html").read_bytes() == (folder / "report/index.html").read_bytes()


def test_with_all_off_the_sides_are_equal_and_nothing_is_claimed(tmp_path):
    folder = tmp_path / "off"
    done = assay("run", "tracing", "--profile", "quick", "--off", "all", "--out", folder, "--no-report", "--json", timeout=400)
    assert done.returncode == 0, done.stderr
    document = json.loads(done.stdout)
    (eager,) = [c for c in document["comparisons"] if c["id"] == "tracing.eager_step"]
    assert eager["verdict"] == "invalid"
    assert eager["estimate"] is None


def test_an_expectation_not_met_is_exit_1(run, tmp_path, toy):
    done = assay("run", "--program", toy(), "--profile", "quick", "--out", tmp_path / "x", "--no-report", "--expect", "tracing.eager_step=holds")
    assert done.returncode == 1
    assert "expected tracing.eager_step=holds" in done.stderr
