"""A run that is cut off, by Ctrl-C or kill -9: no case goes on, and --resume completes a document that validates."""

import json
import os
import signal
import time

import jsonschema
import pytest
from program import TOY_BODY, assay, start_assay


def processes_of(program):
    """Every process that runs the toy program."""
    found = []
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{pid}/cmdline", "rb") as file:
                words = file.read().split(b"\0")
        except OSError:
            continue
        if os.fsencode(program) in words[:2]:
            found.append(int(pid))
    return found


def wait_for(condition, seconds=20):
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.01)


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
@pytest.mark.parametrize("after", [1, 5])
def test_a_cut_off_run_can_be_resumed(how, after, tmp_path, toy, schema):
    body = 'if os.fork() == 0:\n    os.setsid(); time.sleep(60); sys.exit()\n' + TOY_BODY.replace('"0"', '"0.1"')
    program = toy(body)
    run = tmp_path / "run"
    going = start_assay("run", "--program", program, "--profile", "quick", "--out", run, "--no-report")
    records = run / "records.jsonl"
    wait_for(lambda: records.exists() and records.read_text().count('"record":"process"') >= after)
    wait_for(lambda: processes_of(program))
    going.send_signal(how)
    _, errors = going.communicate(timeout=20)
    if how != signal.SIGKILL:
        assert going.returncode == 130
        assert f"--resume {run}" in errors
    wait_for(lambda: not processes_of(program), 5)
    assert not (run / "run.json").exists()

    done = assay("run", "--resume", run, "--no-report")
    assert done.returncode == 0, done.stderr
    document = json.loads((run / "run.json").read_text())
    jsonschema.validate(document, schema)
    (comparison,) = document["comparisons"]
    assert comparison["n"] == 6
    assert comparison["estimate"] == pytest.approx(1.5)
    rounds = {(p["round"], p["configuration"]) for p in document["processes"] if p["used"]}
    assert len(rounds) == 12
    assert not processes_of(program)


def test_a_finished_run_resumes_to_the_same_document(tmp_path, toy):
    run = tmp_path / "run"
    assert assay("run", "--program", toy(), "--profile", "quick", "--out", run, "--no-report").returncode == 0
    before = json.loads((run / "run.json").read_text())
    assert assay("run", "--resume", run, "--no-report").returncode == 0
    assert json.loads((run / "run.json").read_text())["comparisons"] == before["comparisons"]


def test_a_changed_program_is_not_resumed(tmp_path, toy):
    run = tmp_path / "run"
    program = toy()
    assert assay("run", "--program", program, "--profile", "quick", "--out", run, "--no-report").returncode == 0
    program.write_text(program.read_text() + "\n# changed\n")
    done = assay("run", "--resume", run, "--no-report")
    assert done.returncode == 5
    assert str(program) in done.stderr


def test_two_runs_do_not_measure_at_once(tmp_path, toy):
    program = toy(TOY_BODY.replace('"0"', '"0.3"'))
    first = start_assay("run", "--program", program, "--profile", "quick", "--out", tmp_path / "first", "--no-report")
    wait_for(lambda: (tmp_path / "first/records.jsonl").exists())
    second = assay("run", "--program", program, "--profile", "quick", "--out", tmp_path / "second", "--no-report")
    assert second.returncode == 5
    assert str(first.pid) in second.stderr
    assert not (tmp_path / "second").exists()
    first.send_signal(signal.SIGINT)
    first.communicate(timeout=20)
