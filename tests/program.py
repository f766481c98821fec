"""The built program, and a toy program that speaks the case protocol: what the command-line and protocol tests start."""

import json
import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

# Where the tests are started in the background, a shell makes SIGINT ignored. The programs that they start must not inherit that.
signal.signal(signal.SIGINT, signal.default_int_handler)
signal.signal(signal.SIGHUP, signal.SIG_DFL)

ROOT = Path(__file__).resolve().parents[1]
# Tests do not measure: a lock of their own, so that a real run on the machine does not stop them.
os.environ["ASSAY_LOCK"] = tempfile.mkdtemp(prefix="assay-tests-") + "/lock"
# Nor does it matter to them that others work here: they may run side by side.
os.environ["ASSAY_LOAD_LIMIT"] = "1"
# Set by the launcher, it says that the rest of the environment is meant: the tests' own settings would not be cleared.
os.environ.pop("ASSAY_CLEARED", None)
PROGRAM = Path(os.environ.get("ASSAY_PROGRAM", ROOT / "build/release/assay"))


def assay(*arguments, timeout=120, program=PROGRAM, **options):
    """Runs the built program (or another), as the launcher would, and returns the finished process with its text."""
    environment = {**os.environ, "ASSAY_HOME": str(ROOT), "NO_COLOR": "1", **options.pop("env", {})}
    return subprocess.run(
        [str(program), *map(str, arguments)], capture_output=True, text=True, timeout=timeout, env=environment, **options
    )


def start_assay(*arguments, **options):
    """The same without waiting for its end."""
    environment = {**os.environ, "ASSAY_HOME": str(ROOT), "NO_COLOR": "1"}
    return subprocess.Popen(
        [str(PROGRAM), *map(str, arguments)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment,
        **options,
    )


TOY = '''#!{python}
"""A program that speaks the case protocol: two configurations, one of them slower, and a trained case that leaves an artifact."""
import json, os, sys, time

CATALOGUE = {catalogue}

def event(**fields):
    sys.stdout.write(json.dumps(fields) + "\\n")
    sys.stdout.flush()

def finish(status="ok", reason=""):
    event(event="finish", status=status, reason=reason, peak_bytes=1000)

arguments = sys.argv[1:]
if arguments[0] == "cases":
    print(json.dumps(CATALOGUE))
    sys.exit(0)
name = arguments[1]
options = {{}}
for flag, value in zip(arguments[2::2], arguments[3::2]):
    options.setdefault(flag, []).append(value)
values = dict(v.split("=", 1) for v in options.get("--set", []))
seed = int(options["--seed"][0])
event(event="start", protocol=1, case=name, parameters=values, lengths={{}}, seed=seed, threads=1,
      program={{"name": "toy", "version": "1", "commit": "", "dirty": False}}, controls=[])
{body}
'''

TOY_BODY = """
time.sleep(float(os.environ.get("TOY_SLEEP", "0")))
slow = 1.5 if values.get("mode") == "slow" else 1.0
event(event="samples", metric="step_time", unit="ns", better="lower", values=[100.0 * slow, 101.0 * slow, 102.0 * slow], warmup=1)
event(event="check", name="answer", passed=True, measured=0.0, limit=1e-6)
finish()
"""


def toy_catalogue(**changes):
    catalogue = {
        "protocol": 1,
        "program": {"name": "toy", "version": "1", "commit": "", "dirty": False, "build": {}},
        "controls": [],
        "profiles": [{"name": "quick", "rounds": 6, "repetitions": 3, "seeds": 6, "lengths": {}}],
        "scenarios": [
            {
                "name": "toy",
                "question": "Is slow slower?",
                "budget_s": {"quick": 10},
                "cases": [
                    {
                        "name": "toy.step",
                        "kind": "timed",
                        "parameters": [{"name": "mode", "values": ["fast", "slow"], "default": "fast", "stands_for": {}}],
                        "metrics": [{"name": "step_time", "unit": "ns", "better": "lower"}],
                        "needs": [],
                        "env": {},
                        "launch": [],
                    }
                ],
                "groups": [{"name": "toy.step", "configurations": ["toy.step", "toy.step{mode=slow}"]}],
                "comparisons": [
                    {
                        "id": "toy.slow",
                        "metric": "step_time",
                        "form": "ratio",
                        "margin": 0.05,
                        "baseline": "toy.step",
                        "candidate": "toy.step{mode=slow}",
                    }
                ],
            }
        ],
    }
    catalogue["scenarios"][0].update(changes)
    return catalogue
