"""The scenario `precision` from outside: exact answers, and bad input by name."""

import json

import pytest
from program import ROOT, assay


def events(done):
    return [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]


def test_underflow_lets_go_where_the_format_says(tmp_path):
    done = assay("case", "precision.underflow", "--data", ROOT / "data/mnist", "--out", tmp_path)
    found = events(done)
    values = {e["metric"]: e["value"] for e in found if e["event"] == "value"}
    # Half of float16's smallest subnormal, 2^-24, goes to zero (a tie, to even); what is above it stays.
    assert 2**-25 < values["smallest_surviving"] < 2**-25 * (1 + 2**-22)
    assert values["smallest_surviving"] / values["smallest_surviving_scaled"] == 1024
    series = {e["name"]: dict(zip(e["x"]["values"], e["y"]["values"], strict=True)) for e in found if e["event"] == "series"}
    assert [m for m, kept in series["float16 plain"].items() if kept == 0] == [1e-8, 1e-9, 1e-10]
    assert all(series["float16 scaled by 1024"].values())
    assert found[-1]["status"] == "ok"


@pytest.mark.parametrize(
    ("case", "value"), [("precision.step", "policy=mixed_float7"), ("precision.infer", "policy=float9"), ("precision.fuse", "steps=3")]
)
def test_an_unknown_policy_is_named_with_the_nearest_one(case, value, tmp_path):
    done = assay("case", case, "--set", value, "--data", ROOT / "data/mnist", "--out", tmp_path)
    assert done.returncode == 2
    assert value.split("=")[1] in done.stderr
    assert "did you mean" in done.stderr


def test_a_mixed_step_shows_its_casts_in_explain():
    done = assay("explain", "precision.step{policy=mixed_bfloat16}")
    assert done.returncode == 0, done.stderr
    assert "cast" in done.stdout
    assert "bfloat16" in done.stdout
    assert "engine.fuse_casts" in done.stdout
