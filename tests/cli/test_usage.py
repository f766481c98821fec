"""Wrong words on the command line: exit 2, the nearest right name, nothing written."""

import json
import re

import pytest
from program import assay


@pytest.mark.parametrize(
    ("arguments", "meant"),
    [
        (["run", "tracig"], "did you mean 'tracing'?"),
        (["run", "tracing", "--profile", "quik"], "did you mean 'quick'?"),
        (["run", "tracing", "--off", "engine.prepak"], "did you mean 'engine.prepack'?"),
        (["run", "tracing", "--of", "all"], "did you mean '--off'?"),
        (["rnu"], "did you mean 'run'?"),
        (["run", "tracing", "--expect", "tracing.eager_stp=holds"], "did you mean 'tracing.eager_step'?"),
        (["run", "tracing", "--expect", "tracing.eager_step=hold"], "did you mean 'holds'?"),
        (["run", "tracing", "--expect", "nonsense"], "ID=VERDICT"),
        (["run", "tracing", "--threads", "zero"], "--threads"),
        (["run", "tracing", "--threads", "0"], "--threads"),
        (["run", "tracing", "--seed", "-1"], "a whole number from 0 up"),
        (["run", "tracing", "--seed", "18446744073709551616"], "a whole number from 0 up"),
        (["run", "tracing", "--data", ""], "--data: expected a value, found an empty text"),
        (["run", "--resume", ""], "--resume: expected a value, found an empty text"),
        (["run", ""], "SCENARIO: expected a value, found an empty text"),
        (["report", ""], "RUN: expected a value, found an empty text"),
        (["compare", "x", ""], "RUN: expected a value, found an empty text"),
        (["explain", ""], "CASE: expected a value, found an empty text"),
        (["case", ""], "NAME: expected a value, found an empty text"),
        (["case", "tracing.weights", "--out", ""], "--out: expected a value, found an empty text"),
        (["case", "tracing.fit", "--length", "epocs=3"], "did you mean 'epochs'?"),
        (["case", "tracing.fit", "--length", "epochs=0"], "a whole number from 1 to 2147483647, found '0'"),
        (["case", "tracing.loop", "--length", "epochs=-1"], "a whole number from 1 to 2147483647, found '-1'"),
        (["case", "machine.dispatch", "--length", "rows=0"], "the scenario machine has no lengths"),
        (["case", "tracing.step", "--off", "engine.trce"], "did you mean 'engine.trace'?"),
        (["run", "tracing", "--profile"], "--profile"),
        # an option takes one word: what follows is the command's own
        (["run", "--off", "engine.trace", "tracig"], "unknown scenario 'tracig'; did you mean 'tracing'?"),
        (["run", "--off", "engine.trace", "--off", "engine.spn", "tracing"], "did you mean 'engine.spin'?"),
        (["ablate", "--off", "engine.trace", "tracing", "fit"], "only timed cases"),
        (["reproduce", "--peer", "jax", "tracig"], "unknown section 'tracig'; did you mean 'tracing'?"),
        (["reproduce", "tracing", "--peer", "jax", "tensorflw"], "unknown section 'tensorflw'"),
        (["reproduce", "--peer", "jax,tensorflw", "tracing"], "did you mean 'tensorflow'?"),
        (["run", "--resume", "x", "--seed", "3"], "--resume"),
        (["report"], "RUN"),
        (["report", "/nowhere"], "/nowhere"),
        (["case", "tracing.stp"], "did you mean 'tracing.step'?"),
        (["case", "tracing.step", "--set", "mode=eagr"], "did you mean 'eager'?"),
        (["case", "tracing.step", "--set", "mod=eager"], "did you mean 'mode'?"),
    ],
)
def test_a_wrong_word_names_the_right_one(arguments, meant, tmp_path):
    more = ["--out", tmp_path / "run"] if arguments[0] == "run" and "--resume" not in arguments else []
    done = assay(arguments[0], *more, *arguments[1:]) if arguments else assay()
    assert done.returncode == 2, done.stderr
    assert meant in done.stderr
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize("command", [[], ["run"], ["gate"], ["calibrate"], ["doctor"], ["compare"], ["list"], ["controls"], ["report"], ["cases"], ["case"], ["ablate"], ["explain"], ["reproduce"]])
def test_help_says_what_and_shows_how(command):
    done = assay(*command, "--help")
    assert done.returncode == 0
    assert "Usage" in done.stdout


@pytest.mark.parametrize("command", ["run", "ablate", "explain", "reproduce", "report", "cases"])
def test_no_option_takes_an_empty_text(command):
    """An unset variable of a script must not stand for a default."""
    listed = re.findall(r"^  (--[a-z-]+) [A-Z]", assay(command, "--help").stdout, re.MULTILINE)
    assert listed
    for option in listed:
        done = assay(command, option, "")
        assert done.returncode == 2, option
        assert f"{option}: expected a" in done.stderr and "found" in done.stderr, done.stderr


@pytest.mark.parametrize("words", [["case", "tracing.weights", "--help"], ["case", "--help", "tracing.weights"], ["case", "-h"]])
def test_help_of_a_case_lists_its_options(words):
    done = assay(*words)
    assert done.returncode == 0
    assert done.stderr == ""
    for option in ("--set", "--off", "--artifact", "--service", "--length", "--seed", "--threads", "--repetitions", "--data", "--out"):
        assert f"  {option} " in done.stdout


def test_a_load_limit_must_be_a_share():
    for command in (["doctor"], ["run", "tracing"], ["gate", "--self"]):
        done = assay(*command, env={"ASSAY_LOAD_LIMIT": "50 %"})
        assert done.returncode == 2
        assert done.stderr == "assay: ASSAY_LOAD_LIMIT: expected a share above 0, 1 at most, found '50 %'\n"


def test_list_and_controls_speak_json_too():
    catalogue = json.loads(assay("list", "--json").stdout)
    assert {"machine", "tracing"} <= {s["name"] for s in catalogue["scenarios"]}
    controls = json.loads(assay("controls", "--json").stdout)
    assert {"engine.trace", "engine.onednn", "engine.prepack"} <= {c["name"] for c in controls}
    assert "tracing" in assay("list").stdout
    assert "engine.trace" in assay("controls").stdout


def test_an_output_folder_must_be_new_and_writable(tmp_path, toy):
    program = toy()
    taken = tmp_path / "taken"
    taken.mkdir()
    (taken / "records.jsonl").write_text("{}\n")
    done = assay("run", "--program", program, "--profile", "quick", "--out", taken)
    assert done.returncode == 2
    assert str(taken) in done.stderr
    assert (taken / "records.jsonl").read_text() == "{}\n"
    below_a_file = tmp_path / "toy" / "run"
    done = assay("run", "--program", program, "--profile", "quick", "--out", below_a_file)
    assert done.returncode == 2
    assert str(below_a_file) in done.stderr


def test_resume_of_what_is_no_run(tmp_path):
    done = assay("run", "--resume", tmp_path)
    assert done.returncode == 2
    assert "records.jsonl" in done.stderr
