"""`assay ablate`: each control alone off and alone on in shared rounds, on a program whose times are known."""

import json
import re

import jsonschema
import pytest
from program import assay

# Without `t.trace` nothing is fused; `t.slow` makes everything slower; `t.spin` acts where the environment says so.
BODY = """
off = set(",".join(options.get("--off", [])).split(",")) - {""}
time_ns = 100.0 * (2 if "t.trace" in off else 1) * (1.5 if off & {"t.fuse", "t.trace"} else 1) * (1 if "t.slow" in off else 1.25)
event(event="choice", name="wait", value=os.environ.get("TOY_WAIT", "unset"))
event(event="samples", metric="step_time", unit="ns", better="lower", values=[time_ns], warmup=1)
event(event="check", name="answer", passed=os.environ.get("TOY_WRONG") not in off, measured=0.0, limit=1e-6)
finish()
"""


def control(name, needs=(), acts=True, reason="", **environment):
    return {"name": name, "summary": "", "on": True, "acts": acts, "reason": reason, "needs": list(needs), **environment}


CONTROLS = [
    control("t.trace"),
    control("t.fuse", ["t.trace"]),
    control("t.slow"),
    control("t.spin", acts=False, reason="TOY_WAIT is not set", environment_on={"TOY_WAIT": "ACTIVE"}, environment_off={"TOY_WAIT": "PASSIVE"}),
    control("t.isa", acts=False, reason="no such CPU"),
]
# What a program of this kind says of a control that needs environment, where that is set.
ACTS = "if os.environ.get('TOY_WAIT'): [c.update(acts=True, reason='') for c in CATALOGUE['controls'] if c['name'] == 't.spin']\n"


@pytest.fixture
def ablated(tmp_path, toy):
    def run(*arguments, env=None):
        program = toy(BODY)
        text = program.read_text().replace("'controls': []", f"'controls': {CONTROLS!r}")
        program.write_text(text.replace("def event(", ACTS + "def event(", 1))
        out = tmp_path / "run"
        done = assay("ablate", "toy", "step", "--program", program, "--profile", "quick", "--out", out, "--no-report", *arguments, env=env or {})
        return done, json.loads((out / "run.json").read_text()) if (out / "run.json").exists() else None

    return run


def ratios(document):
    return {(c["baseline"][8:], c["candidate"][8:]): c["estimate"] and round(c["estimate"], 9) for c in document["comparisons"]}


EXPECTED = {
    ("", "{off=all}"): 2 * 1.5 / 1.25,
    ("", "{off=t.trace}"): 3.0,
    ("", "{off=t.fuse}"): 1.5,
    ("", "{off=t.slow}"): 0.8,
    ("", "{off=t.spin}"): 1.0,
    ("{off=all}", "{on=t.trace}"): 0.5,
    ("{on=t.trace}", "{on=t.trace+t.fuse}"): round(1 / 1.5, 9),
    ("{off=all}", "{on=t.slow}"): 1.25,
    ("{off=all}", "{on=t.spin}"): 1.0,
}


def test_every_switch_is_a_ratio_formed_in_shared_rounds(ablated, schema):
    done, document = ablated()
    assert done.returncode == 0, done.stderr
    jsonschema.validate(document, schema)
    assert ratios(document) == EXPECTED
    assert {p["group"] for p in document["processes"]} == {"toy.step"}
    assert len(document["processes"]) == 6 * (2 + 4 + 4)
    assert document["options"]["purpose"] == "ablation" and document["claims"] == []
    waits = {p["configuration"]: e["value"] for p in document["processes"] for e in p["events"] if e["event"] == "choice"}
    assert waits["toy.step{off=t.spin}"] == waits["toy.step{on=t.trace}"] == "PASSIVE"
    assert waits["toy.step"] == waits["toy.step{on=t.spin}"] == "ACTIVE"


def test_the_table_says_what_helps_and_what_was_left_out(ablated):
    done, _ = ablated(env={"COLUMNS": "140"})
    rows = [re.split(r"  +", line.strip()) for line in done.stdout.splitlines() if line.startswith("  t.")]
    assert rows == [
        ["t.trace", "3x", "helps", "0.5x", "helps"],
        ["t.fuse", "1.5x", "helps", "0.6667x", "helps"],
        ["t.slow", "0.8x", "hurts", "1.25x", "hurts"],
        ["t.spin", "1x", "no difference", "1x", "no difference"],
    ], done.stdout
    assert "t.isa was left out: no such CPU" in done.stdout


def test_what_is_off_everywhere_takes_no_part(ablated):
    done, document = ablated("--off", "t.trace")
    assert done.returncode == 0, done.stderr
    assert {candidate for _, candidate in ratios(document)} == {"{off=all}", "{off=t.slow}", "{off=t.spin}", "{on=t.slow}", "{on=t.spin}"}
    said = " ".join(done.stdout.split())
    assert "t.trace was left out: it is off everywhere in this run" in said
    assert "t.fuse was left out: it needs t.trace, which takes no part" in said


def test_a_wrong_answer_shows_no_ratio(ablated):
    done, document = ablated(env={"TOY_WRONG": "t.fuse"})
    assert done.returncode == 3
    for (before, after), ratio in ratios(document).items():
        wrong = [side for side in (before, after) if side == "{off=all}" or side == "{off=t.fuse}" or (side.startswith("{on=") and "t.fuse" not in side)]
        assert (ratio is None) == bool(wrong), (before, after)
    assert 'check "answer" failed' in " ".join(done.stdout.split())


def test_it_goes_on_where_it_was_cut_off(ablated, tmp_path):
    done, document = ablated()
    folder = tmp_path / "run"
    lines = (folder / "records.jsonl").read_text().splitlines(keepends=True)
    (folder / "records.jsonl").write_text("".join(lines[: len(lines) // 2]))
    (folder / "run.json").unlink()
    for command in ("ablate", "run"):
        again = assay(command, "--resume", folder, "--no-report")
        assert again.returncode == 0, again.stderr
        assert "t.isa was left out: no such CPU" in again.stdout
    assert ratios(json.loads((folder / "run.json").read_text())) == EXPECTED


@pytest.mark.parametrize(
    ("arguments", "meant"),
    [
        (["tracng"], "did you mean 'tracing'?"),
        (["tracing", "stp"], "did you mean 'tracing.step'?"),
        (["tracing", "tracing.step{mode=eager}"], "switches controls off itself"),
        (["tracing", "fit"], "only timed cases"),
        (["tracing", "--off", "all"], "nothing to ablate"),
        (["tracing", "--profile", "quik"], "did you mean 'quick'?"),
        ([], "name a SCENARIO"),
    ],
)
def test_a_wrong_word_names_the_right_one(arguments, meant, tmp_path):
    done = assay("ablate", *arguments, "--out", tmp_path / "run")
    assert done.returncode == 2, done.stderr
    assert meant in done.stderr
    assert not (tmp_path / "run").exists()
