"""An ablation: each control alone off and alone on, as a table and as figures."""

import re

import pytest
from test_report import bare, read

SIDES = {  # candidate -> (baseline, times the time of everything on, verdict)
    "{off=all}": ("", 8, "regressed"),
    "{off=engine.trace}": ("", 2, "regressed"),
    "{off=engine.prepack}": ("", 1.25, "undecided"),
    "{on=engine.trace}": ("{off=all}", 0.5, "improved"),
    "{on=engine.trace+engine.prepack}": ("{on=engine.trace}", 1.6, "regressed"),
}


def test_a_plan_is_told_in_a_few_words(draw, document):
    process = next(one for one in document["processes"] if one["configuration"] == "tracing.step" and one["used"])
    bare(document)
    step = ["relu", "eigen:relu", "8x8 -> 8x8", 1, 64, 512, []]
    plan = {"recorded_nodes": 9, "passes": [["engine.dce", 2, 7]], "steps": [step, step], "fallbacks": []}
    plan.update(states=4, packed_states=1, arena_bytes=2048, workspace_bytes=0)
    process["events"] = [{"event": "choice", "name": "plan", "value": plan}]
    document["processes"].append(process)
    _, text = read(draw(document))
    assert "9 nodes recorded, 2 steps; 2 × eigen:relu; 1 of 4 states packed; arena 2 KiB" in text


@pytest.fixture
def ablation(document):
    base = next(row for row in document["values"] if row["configuration"] == "tracing.step")
    process = next(one for one in document["processes"] if one["configuration"] == "tracing.step" and one["used"])
    pattern = next(row for row in document["comparisons"] if row["estimate"] is not None and row["form"] == "ratio")
    bare(document)
    document["controls"] = [
        {"name": name, "summary": "", "on": True, "acts": name != "engine.isa", "reason": reason}
        for name, reason in (("engine.trace", ""), ("engine.prepack", ""), ("engine.isa", "this CPU has nothing above AVX2"))
    ]
    document["claims"], document["comparisons"] = [], []
    for values in ("", *SIDES):
        id = f"tracing.step{values}"
        document["values"].append({**base, "configuration": id})
        document["processes"].append({**process, "configuration": id})
    for place, (candidate, (baseline, ratio, verdict)) in enumerate(SIDES.items()):
        document["comparisons"].append(
            {
                **pattern,
                "id": f"tracing.switch_{place}",
                "metric": "step_time",
                "unit": "ns",
                "better": "lower",
                "baseline": f"tracing.step{baseline}",
                "candidate": f"tracing.step{candidate}",
                "estimate": ratio,
                "low": ratio * 0.9,
                "high": ratio * 1.1,
                "samples": [ratio] * 6,
                "verdict": verdict,
                "reason": "",
            }
        )
    return document


def test_each_control_is_a_row_with_both_ratios(draw, ablation):
    _, text = read(draw(ablation))
    assert "What each control is worth: step, step time" in text
    rows = {}
    for line in text.splitlines():
        if line.startswith(("| `engine", "| everything")):
            rows.setdefault(line.split("|")[1].strip(), line)  # the table of the controls themselves comes later
    assert "| 8.00× [7.20, 8.80] | helps |" in rows["everything"]
    trace, prepack = rows["`engine.trace`"], rows["`engine.prepack`"]
    assert trace.count("helps") == 2, "slower without it, faster with it alone"
    assert "undecided" in prepack and "hurts (with engine.trace)" in prepack
    assert "left out (this CPU has nothing above AVX2)" in rows["`engine.isa`"]


def test_an_invalid_side_shows_no_ratio(draw, ablation):
    for row in ablation["comparisons"]:
        if row["candidate"] == "tracing.step{off=engine.trace}":
            row.update(verdict="invalid", reason="a check failed", estimate=None, low=None, high=None, confidence=None, samples=[], n=0)
    page, text = read(draw(ablation))
    line = next(line for line in text.splitlines() if line.startswith("| `engine.trace`"))
    assert re.match(r"\| `engine.trace` \| [–-] \| invalid \(a check failed\) \|", line), line
    label = re.search(r'aria-label="(Points with intervals, ratio of step time[^"]*)"', page).group(1)
    off, on = label.split("alone on / ")
    assert "trace 2" not in off and "trace 0.5" in on


def test_both_figures_are_drawn(draw, ablation):
    page, _ = read(draw(ablation))
    label = re.search(r'aria-label="(Points with intervals, ratio of step time[^"]*)"', page).group(1)
    assert "prepack (with trace) 1.6" in label
    dots = re.search(r'aria-label="(Points with intervals, time of a training step: [^"]*)"', page).group(1)
    for name in ("all on", "all off", "trace off", "only trace, prepack on"):
        assert name in dots
