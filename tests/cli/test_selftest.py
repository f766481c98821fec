"""The gate proves itself on the real program: the hidden case, slowed, miscounting, wrong and crashing on purpose."""

import json

import pytest
from gate_program import document_of, row, valid_junit
from program import assay

HIDDEN = {"ASSAY_SELFTEST": "1"}


def self_gate(out, *arguments):
    done = assay("gate", "--self", "selftest.spin", "--out", out, *arguments, env=HIDDEN, timeout=300)
    return done, document_of(out)


def test_the_case_is_hidden_unless_asked_for():
    assert "selftest" not in assay("list").stdout
    assert "selftest" in assay("list", env=HIDDEN).stdout


@pytest.mark.parametrize(
    ("fault", "code", "metric", "verdict"),
    [("answer", 3, "spin_time", "invalid"), ("crash", 3, "spin_time", "invalid"), ("count", 1, "chunks", "regressed")],
)
def test_faults_on_purpose(tmp_path, fault, code, metric, verdict):
    done, document = self_gate(tmp_path / "run", "--inject", f"ASSAY_SELFTEST_FAULT={fault}", "--budget", "60s", "--junit", tmp_path / "j.xml")
    # Tests share the machine: steal may withdraw times, and then nothing but the fault is left to say.
    assert done.returncode == code, done.stderr + done.stdout
    assert row(document, metric)["verdict"] == verdict
    valid_junit(tmp_path / "j.xml")


def test_twice_as_slow_is_found_even_on_a_machine_that_is_not_quiet(tmp_path):
    done, document = self_gate(tmp_path / "run", "--inject", "ASSAY_SELFTEST_SLOWDOWN=1", "--floor", "10%")
    assert done.returncode in (1, 5), done.stderr + done.stdout
    if done.returncode == 1:
        assert "regressed" in {r["verdict"] for r in document["gate"]["benchmarks"]}
        assert row(document, "chunks")["verdict"] == "same"


def test_calibrate_keeps_its_tries_and_goes_on(tmp_path):
    arguments = ["calibrate", "selftest", "--tries", "0", "--threads", "1", "--out", tmp_path]
    first = assay(*arguments, "--no-change", "1", timeout=300)
    assert first.returncode == 0, first.stderr
    lines = (tmp_path / "tries.jsonl").read_text().splitlines()
    assert len(lines) >= 1
    again = assay(*arguments, "--no-change", "1", "--json", timeout=300)
    calibration = json.loads(again.stdout)
    if calibration["gates_that_withdrew"] == 0:
        assert (tmp_path / "tries.jsonl").read_text().splitlines() == lines
        assert calibration["false_alarms"]["regressed"]["benchmarks"]["of"] == 2
        # 4 rounds are 8 pairs of equal processes: below 16 nothing is said of a benchmark's noise
        rounds = {b["configuration"]: len(b["rounds"]) for b in json.loads(lines[0])["benchmarks"]}
        assert set(rounds) == {"selftest.spin", "selftest.spin{size=large}"}
        assert {b["configuration"] for b in calibration["benchmarks"]} == {name for name, count in rounds.items() if 2 * count >= 16}
    assert calibration == json.loads((tmp_path / "calibration.json").read_text())
