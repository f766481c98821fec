"""A run that is cut off, by Ctrl-C or kill -9: no case goes on, and --resume completes a document that validates."""

import json
import os
import resource
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


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
def test_a_stop_while_a_program_tells_its_cases(how, tmp_path):
    program = tmp_path / "slow"
    program.write_text("#!/usr/bin/env python3\nimport os, time\nos.fork()\ntime.sleep(1000)\n")
    program.chmod(0o755)
    run = tmp_path / "run"
    going = start_assay("run", "--program", program, "--profile", "quick", "--out", run)
    wait_for(lambda: len(processes_of(program)) == 2)
    going.send_signal(how)
    _, errors = going.communicate(timeout=20)
    assert going.returncode == 130
    assert errors == f"assay: stopped while {program} cases ran; nothing was measured and nothing written\n"
    assert not processes_of(program)
    assert not run.exists()


@pytest.mark.parametrize("which", [signal.SIGHUP, signal.SIGINT, signal.SIGTERM])
def test_a_signal_that_was_ignored_at_the_start_stays_ignored(which, tmp_path, toy):
    """nohup ignores SIGHUP, and a script SIGINT for its background jobs."""
    program = toy(TOY_BODY.replace('"0"', '"0.2"'))
    run = tmp_path / "run"
    going = start_assay(
        *("run", "--program", program, "--profile", "quick", "--out", run, "--no-report"),
        preexec_fn=lambda: signal.signal(which, signal.SIG_IGN),
    )
    records = run / "records.jsonl"
    wait_for(lambda: records.exists() and '"record":"process"' in records.read_text())
    going.send_signal(which)
    _, errors = going.communicate(timeout=60)
    assert going.returncode == 0, errors
    assert json.loads((run / "run.json").read_text())["comparisons"][0]["n"] == 6


def test_a_full_disk_says_how_to_go_on(tmp_path, toy):
    """A limit on the size of a file stands for the disk: writes beyond it fail just so."""
    program = toy()
    whole = tmp_path / "whole"
    arguments = ("run", "--program", program, "--profile", "quick", "--no-report")
    assert assay(*arguments, "--out", whole).returncode == 0
    lines = (whole / "records.jsonl").read_bytes().splitlines(keepends=True)

    def limited_to(size):
        def limit():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))

        return limit

    run = tmp_path / "run"
    going = start_assay(*arguments, "--out", run, preexec_fn=limited_to(sum(map(len, lines[:4]))))
    _, errors = going.communicate(timeout=60)
    assert going.returncode == 5
    assert f"{run}/records.jsonl" in errors
    assert f"./assay run --resume {run}" in errors
    done = assay("run", "--resume", run, "--no-report")
    assert done.returncode == 0, done.stderr
    assert json.loads((run / "run.json").read_text())["comparisons"][0]["n"] == 6

    never = tmp_path / "never"
    going = start_assay(*arguments, "--out", never, preexec_fn=limited_to(len(lines[0]) // 2))
    _, errors = going.communicate(timeout=60)
    assert going.returncode == 5
    assert "start again" in errors
    assert "--resume" not in errors


@pytest.mark.parametrize(
    "old, new, what",
    [
        ('"seed":0', '"seed":"0"', "options.seed: expected a whole number from 0 up"),
        ('"schedule":[', '"schedule":[7,', "schedule[0]: expected an object, found 7"),
        ('"record":"run"', '"record":"ran"', "record: expected run, in the first line, found 'ran'"),
        ('{"', "[", "no JSON at byte"),
    ],
)
def test_a_tampered_first_record_is_named(old, new, what, tmp_path, toy):
    run = tmp_path / "run"
    assert assay("run", "--program", toy(), "--profile", "quick", "--out", run, "--no-report").returncode == 0
    records = run / "records.jsonl"
    assert old in records.read_text()
    records.write_text(records.read_text().replace(old, new, 1))
    done = assay("run", "--resume", run, "--no-report")
    assert done.returncode == 5
    assert done.stderr.startswith(f"assay: {records}, line 1: ")
    assert what in done.stderr
    assert "json.exception" not in done.stderr


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
