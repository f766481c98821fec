"""Each control, in a fresh process of its own: the same answer on and off, and proof that off is off where only a process can show it."""

import json

import pytest
from program import TOY_BODY, assay

CONTROLS = [c["name"] for c in json.loads(assay("controls", "--json").stdout)]
ONEDNN = any(c["name"] == "engine.onednn" and c["acts"] for c in json.loads(assay("controls", "--json").stdout))


@pytest.fixture(scope="module")
def step(tmp_path_factory):
    """step(off, env) runs 20 training steps in a process and returns its events and standard error."""
    folder = tmp_path_factory.mktemp("controls")
    assert assay("case", "tracing.weights", "--out", folder).returncode == 0

    def run(*off, env=None):
        more = ["--off", ",".join(off)] if off else []
        done = assay(
            *("case", "tracing.step", "--artifact", f"weights={folder}/weights.safetensors", "--out", folder),
            *("--threads", 2, "--repetitions", 1, "--length", "steps=20", *more),
            env=env or {},
        )
        assert done.returncode == 0, done.stderr
        return [json.loads(line) for line in done.stdout.splitlines()], done.stderr

    return run


def test_controls_says_what_a_case_finds(step):
    """A run sets what a control needs in the environment, so the list must not say that it is missing."""
    listed = json.loads(assay("controls", "--json").stdout)
    environment = {name: value for control in listed for name, value in control["environment_on"].items()}
    assert "OMP_WAIT_POLICY" in environment
    (start,) = [e for e in step(env=environment)[0] if e["event"] == "start"]
    found = [{key: control[key] for key in ("name", "acts", "reason")} for control in start["controls"]]
    assert [{key: control[key] for key in ("name", "acts", "reason")} for control in listed] == found
    assert "OMP_WAIT_POLICY was not set" not in assay("controls").stdout


def last_loss(events):
    return next(e["measured"] for e in events if e["event"] == "check" and e["name"].startswith("loss fell"))


@pytest.mark.parametrize("control", CONTROLS)
def test_off_gives_the_same_answer(step, control):
    on, _ = step()
    off, _ = step(control)
    assert last_loss(off) == pytest.approx(last_loss(on), rel=1e-4)
    assert {c["name"]: c["on"] for c in off[0]["controls"]} == {name: name != control for name in CONTROLS}


def test_the_instruction_set_is_capped(step):
    if not ONEDNN:
        pytest.skip("this build has no oneDNN, which is what the cap is for")
    kernels = {
        off: [row[1] for e in step(*off)[0] if e["event"] == "choice" and e["name"] == "plan" for row in e["value"]["steps"]]
        for off in ((), ("engine.isa",))
    }
    assert any("onednn" in k for k in kernels["engine.isa",])
    assert not any("avx512" in k for k in kernels["engine.isa",])


def test_without_cached_primitives_onednn_generates_each(step):
    if not ONEDNN:
        pytest.skip("this build has no oneDNN, whose primitives these are")
    verbose = {"ONEDNN_VERBOSE": "2", "ASSAY_CLEARED": ""}  # with the second, the program does not clear the first
    _, on = step("engine.trace", env=verbose)
    _, off = step("engine.trace", "engine.cache_primitives", env=verbose)
    assert off.count("cache_miss") > 10 * on.count("cache_miss") > 0
    assert "cache_hit" not in off


def test_what_must_stand_in_the_environment_is_set_before_the_start(tmp_path, toy):
    """engine.spin needs OMP_WAIT_POLICY before the process starts: the harness sets what a program's control declares."""
    body = 'event(event="choice", name="wait", value=os.environ.get("TOY_WAIT", "unset"))\n' + TOY_BODY
    program = toy(body)
    entry = "{'name': 'toy.spin', 'summary': '', 'on': True, 'acts': True, 'reason': '', "
    entry += "'environment_on': {'TOY_WAIT': 'ACTIVE'}, 'environment_off': {'TOY_WAIT': 'PASSIVE'}}"
    program.write_text(program.read_text().replace("'controls': []", f"'controls': [{entry}]"))
    found = {}
    for off in ((), ("--off", "toy.spin")):
        run = tmp_path / f"run{len(off)}"
        done = assay("run", "--program", program, "--profile", "quick", "--out", run, "--no-report", *off)
        assert done.returncode == 0, done.stderr
        document = json.loads((run / "run.json").read_text())
        found[len(off)] = {e["value"] for p in document["processes"] for e in p["events"] if e["event"] == "choice"}
    assert found == {0: {"ACTIVE"}, 2: {"PASSIVE"}}
