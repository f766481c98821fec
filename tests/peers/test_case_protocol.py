"""The peers' side of the case protocol: command line in, events out."""

import json
import subprocess
import sys

import pytest
from program import ROOT

from peers.catalogue import catalogue
from peers.protocol import Parameters, Usage

OFFERED = catalogue("tensorflow", "2.21.0")


def test_the_command_line_of_a_case_with_its_defaults():
    arguments = (
        "tracing.call --set way=predict --artifact weights=/a=b --length steps=60 --seed 3 --threads 2"
    )
    found = Parameters(OFFERED, arguments.split())
    assert found.values == {"way": "predict", "onednn": "on"}
    assert str(found.artifact("weights")) == "/a=b"
    assert (found.length("steps"), found.seed, found.threads, found.repetitions) == (60, 3, 2, 5)


@pytest.mark.parametrize(
    "arguments, says",
    [
        ("tracing.stepp", "unknown case 'tracing.stepp'; did you mean 'tracing.step'?"),
        ("tracing.step --set mod=eager", "unknown parameter of tracing.step 'mod'; did you mean 'mode'?"),
        ("tracing.step --set mode=egaer", "unknown value of mode 'egaer'; did you mean 'eager'?"),
        ("tracing.step --set mode", "expected NAME=VALUE, found 'mode'"),
        ("tracing.step --length steps=0", "--length steps: expected a whole number from 1 up, found '0'"),
        ("tracing.step --length steps=many", "--length steps: expected a whole number from 1 up, found 'many'"),
        ("tracing.step --seed x", "argument --seed: invalid int value: 'x'"),
    ],
)
def test_a_wrong_command_line_is_named(arguments, says):
    with pytest.raises(Usage) as caught:
        Parameters(OFFERED, arguments.split())
    assert says in str(caught.value)


def test_what_the_harness_did_not_pass_is_named():
    found = Parameters(OFFERED, ["tracing.step"])
    with pytest.raises(Usage, match="no length 'steps'"):
        found.length("steps")
    with pytest.raises(Usage, match="no artifact 'weights'"):
        found.artifact("weights")


WRITER = """
import os, sys
from peers.catalogue import catalogue
from peers.protocol import Parameters, Report
from peers.timing import Timing
report = Report(Parameters(catalogue("jax", "1"), ["tracing.step"]))
report.start({"name": "jax", "version": "1", "commit": ""})
print("chatter of a library")
os.write(1, b"more of it\\n")
report.samples("step_time", Timing([30.0, 60.0], 2), items=3)
report.value("accuracy", "", "higher", float("nan"))
report.check("right", 1e-6, 1e-5)
report.check("wrong", float("inf"), 1e-5)
report.series("curve", ("epoch", "", [1, 2]), ("loss", "", [0.5, float("inf")]))
report.finish("ok")
"""


def test_events_are_lines_of_json_and_messages_of_libraries_go_to_standard_error():
    done = subprocess.run(
        [sys.executable, "-c", WRITER], capture_output=True, text=True, env={"PYTHONPATH": str(ROOT)}, timeout=60
    )
    assert done.returncode == 0, done.stderr
    events = [json.loads(line, parse_constant=lambda text: pytest.fail(text)) for line in done.stdout.splitlines()]
    assert [e["event"] for e in events] == ["start", "samples", "value", "check", "check", "series", "finish"]
    assert events[1]["values"] == [10, 20]
    assert events[1]["warmup"] == 2
    assert (events[2]["value"], events[2]["reason"]) == (None, "not a number")
    assert (events[3]["passed"], events[4]["passed"], events[4]["measured"]) == (True, False, None)
    assert events[5]["y"]["values"] == [0.5, None]
    assert events[6]["peak_bytes"] > 1e6
    assert "chatter of a library" in done.stderr and "more of it" in done.stderr
