"""Standard output that cannot be written: every command says so and exits 5; a reader that goes away ends it quietly."""

import json
import os
import subprocess

import pytest
from program import PROGRAM, ROOT

COMMANDS = [
    ["list"],
    ["list", "--json"],
    ["controls"],
    ["controls", "--json"],
    ["cases"],
    ["--help"],
    ["run", "--help"],
    ["--version"],
]
ENVIRONMENT = {**os.environ, "ASSAY_HOME": str(ROOT), "NO_COLOR": "1"}


def to(stdout, *arguments):
    return subprocess.run(
        [str(PROGRAM), *map(str, arguments)], stdout=stdout, stderr=subprocess.PIPE, text=True, timeout=120, env=ENVIRONMENT
    )


def to_full_disk(*arguments):
    with open("/dev/full", "wb") as full:
        return to(full, *arguments)


def to_nobody(*arguments):
    read, write = os.pipe()
    os.close(read)
    try:
        return to(write, *arguments)
    finally:
        os.close(write)


@pytest.fixture
def finished(tmp_path, toy):
    """The arguments that measure a toy program, and the folder of a run of it that is finished."""
    arguments = ["run", "--program", toy(), "--profile", "quick", "--no-report", "--out"]
    run = tmp_path / "run"
    assert to(subprocess.DEVNULL, *arguments, run).returncode == 0
    return arguments, run


@pytest.mark.parametrize("arguments", COMMANDS, ids=" ".join)
def test_lost_output_is_said_once(arguments):
    done = to_full_disk(*arguments)
    assert done.returncode == 5
    (line,) = done.stderr.splitlines()
    assert line.startswith("assay: not all of the output could be written")


@pytest.mark.parametrize("arguments", COMMANDS, ids=" ".join)
def test_a_reader_that_went_away_is_no_error_to_speak_of(arguments):
    done = to_nobody(*arguments)
    assert done.returncode in (-13, 141)
    assert done.stderr == ""


@pytest.mark.parametrize("more", [[], ["--json"]])
def test_a_run_whose_verdicts_are_lost(more, finished, tmp_path):
    arguments, _ = finished
    done = to_full_disk(*arguments, tmp_path / "full", *more)
    assert done.returncode == 5
    assert done.stderr.splitlines()[-1].startswith("assay: not all of the output could be written")
    assert (tmp_path / "full/run.json").exists()
    done = to_nobody(*arguments, tmp_path / "nobody", *more)
    assert done.returncode == 141
    assert "output" not in done.stderr
    assert (tmp_path / "nobody/run.json").exists()


def test_a_report_whose_path_is_lost(finished):
    _, run = finished
    for done, code in ((to_full_disk("report", run), 5), (to_nobody("report", run), 141)):
        assert done.returncode in (code, -13 if code == 141 else code)
        assert "Traceback" not in done.stderr
        assert (run / "report/index.html").exists()
    assert to(subprocess.PIPE, "report", run).stdout == f"{run}/report/index.html\n"


def test_a_case_whose_events_are_lost():
    done = to_full_disk("case", "tracing.weights", "--out", "/tmp")
    assert done.returncode == 5
    (line,) = done.stderr.splitlines()
    assert "writing an event" in line
    assert "internal error" not in line


def test_a_closed_standard_output_does_not_run_into_the_records(finished, tmp_path):
    arguments, _ = finished
    run = tmp_path / "closed"
    words = " ".join(f"'{word}'" for word in [PROGRAM, *arguments, run])
    done = subprocess.run(["bash", "-c", f"exec {words} >&-"], stderr=subprocess.PIPE, text=True, timeout=120, env=ENVIRONMENT)
    assert done.returncode == 5, done.stderr
    assert "not all of the output" in done.stderr
    for line in (run / "records.jsonl").read_text().splitlines():
        assert "record" in json.loads(line)
