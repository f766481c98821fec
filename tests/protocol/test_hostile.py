"""Programs that break the case protocol: each is one failed row with its reason, the other configuration and the run go on."""

import json
import os
import time

import jsonschema
import pytest
from program import TOY_BODY, assay, toy_catalogue

# Only mode=slow misbehaves; toy.step goes on as ever.
HOSTILE = {
    "dies by a signal": ("os.kill(os.getpid(), 11)", "it was ended by signal 11 (Segmentation fault)"),
    "hangs": ("time.sleep(1000)", "it ran past its limit of 1 s and was ended"),
    "hangs and ignores SIGTERM": (
        "import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN)\nwhile True: time.sleep(1)",
        "it ran past its limit of 1 s and was ended",
    ),
    "prints rubbish": ("print('hello, world', flush=True); time.sleep(1000)", "it printed a line that is not JSON: hello, world"),
    "prints 100 MB on one line": (
        "[os.write(1, b'x' * 1000000) for _ in range(100)]",
        "it printed more than 16 MB on standard output",
    ),
    "prints 100 MB of events": (
        "event(event='own', text='x' * 1000)\nfor _ in range(100000): event(event='own', text='x' * 1000)",
        "it printed more than 16 MB on standard output",
    ),
    "chatters after its events": ("finish(); print('goodbye', flush=True); sys.exit(0)", "it printed a line that is not JSON: goodbye"),
    "exits without finish": ("sys.exit(0)", 'its last event is "start"; expected finish (exit code 0)'),
    "goes on after finish": (
        "finish(); event(event='choice', name='a', value=1); sys.exit(0)",
        'its last event is "choice"; expected finish (exit code 0)',
    ),
    "says ok and exits 3": ("finish(); sys.exit(3)", "its finish says ok but it ended with exit code 3"),
    "says failed": ("finish('failed', 'no luck'); sys.exit(1)", "no luck"),
    "is not UTF-8": ("os.write(1, b'{\"event\": \"\\xff\\xfe\"}\\n'); time.sleep(1000)", "it printed a line that is not JSON: "),
    "closes standard output": ("os.close(1); time.sleep(1000)", "it ran past its limit of 1 s and was ended"),
    "says NaN": (
        "event(event='value', metric='step_time', unit='ns', better='lower', value=float('nan')); finish(); sys.exit(0)",
        "it printed a line that is not JSON: ",
    ),
    "says a number as text": (
        "event(event='samples', metric='step_time', unit='ns', better='lower', values=['1']); finish(); sys.exit(0)",
        "it printed event samples: 'values' is not a list of numbers or null",
    ),
    "lies about an artifact": (
        "open(options['--out'][0] + '/w', 'w').write('x')\n"
        "event(event='artifact', name='w', path='w', sha256='0' * 64, format='raw'); finish(); sys.exit(0)",
        "artifact 'w': w has sha256 2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881, its event says 0000",
    ),
    "names an artifact elsewhere": (
        "event(event='artifact', name='w', path='../../../../records.jsonl', sha256='0' * 64, format='raw'); finish(); sys.exit(0)",
        "artifact 'w': ../../../../records.jsonl lies outside of --out",
    ),
}


def step(**changes):
    case = toy_catalogue()["scenarios"][0]["cases"][0]
    case.update(changes)
    return [case]


def measure(tmp_path, program):
    run = tmp_path / "run"
    done = assay("run", "--program", program, "--profile", "quick", "--out", run, "--no-report", env={"ASSAY_LOCK": str(tmp_path / "lock")})
    document = json.loads((run / "run.json").read_text()) if (run / "run.json").exists() else None
    return done, document


def still_running(marker):
    """Processes with this argument on their command line."""
    found = []
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{pid}/cmdline", "rb") as file:
                if os.fsencode(marker) in file.read().split(b"\0"):
                    found.append(int(pid))
        except OSError:
            pass
    return found


@pytest.mark.parametrize("how", HOSTILE)
def test_a_hostile_case_is_one_failed_row(how, tmp_path, toy, schema):
    code, reason = HOSTILE[how]
    body = "if values.get('mode') == 'slow':\n" + "".join(f"    {line}\n" for line in code.splitlines()) + TOY_BODY
    begin = time.monotonic()
    done, document = measure(tmp_path, toy(body, cases=step(limit_s=1)))
    assert time.monotonic() - begin < 30
    assert done.returncode == 3, done.stderr
    jsonschema.validate(document, schema)
    (failure,) = document["failures"]
    assert failure["configuration"] == "toy.step{mode=slow}"
    assert failure["reason"].startswith(reason)
    assert [c["verdict"] for c in document["comparisons"]] == ["invalid"]
    good = [p for p in document["processes"] if p["configuration"] == "toy.step" and p["used"]]
    assert [p["status"] for p in good] == ["ok"] * 6


def test_children_that_hide_are_killed_with_their_case(tmp_path, toy):
    marker = str(tmp_path / "marker")
    body = (
        "import signal, subprocess\n"
        "child = 'import os, signal, sys, time; signal.signal(15, signal.SIG_IGN); os.setsid(); os.fork(); time.sleep(1000)'\n"
        f"for _ in range(2): subprocess.Popen([sys.executable, '-S', '-c', child, {marker!r}])\n" + TOY_BODY
    )
    done, document = measure(tmp_path, toy(body))
    assert done.returncode == 0, done.stderr
    assert all(p["status"] == "ok" for p in document["processes"])
    assert not still_running(marker)


def test_chatter_on_standard_error_is_kept_and_harmless(tmp_path, toy):
    done, document = measure(tmp_path, toy("os.write(2, b'\\xff chatter ' * 1000)\n" + TOY_BODY))
    assert done.returncode == 0, done.stderr
    records = [json.loads(line) for line in (tmp_path / "run/records.jsonl").read_text().splitlines()]
    tails = [r["stderr_tail"] for r in records if r["record"] == "process"]
    assert all(tail.endswith(" chatter ") for tail in tails)


def test_unknown_events_and_fields_are_kept(tmp_path, toy):
    done, document = measure(tmp_path, toy("event(event='weather', sky='blue')\n" + TOY_BODY))
    assert done.returncode == 0, done.stderr
    assert {"event": "weather", "sky": "blue"} in document["processes"][0]["events"]


@pytest.mark.parametrize(
    "changes, reason",
    [
        ({"groups": []}, "are in no group together"),
        ({"cases": 3}, "scenarios[0].cases: expected a list, found 3"),
        ({"cases": step(kind="slow")}, "scenarios[0].cases[0].kind: expected timed, trained, exact or service, found 'slow'"),
        ({"cases": step(needs=[{"artifact": "w", "from": "other.weights"}])}, "other.weights"),
    ],
)
def test_a_catalogue_that_breaks_the_protocol_is_refused(changes, reason, tmp_path, toy):
    done, document = measure(tmp_path, toy(**changes))
    assert done.returncode == 5
    assert reason in done.stderr
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize(
    "script, code, reason",
    [
        ("echo no json", 5, "printed no JSON"),
        ("echo file: expected this, found that >&2; exit 2", 2, "expected this, found that"),
        ("kill -9 $$", 5, "signal 9"),
    ],
)
def test_a_program_without_a_catalogue_is_refused(script, code, reason, tmp_path):
    program = tmp_path / "program"
    program.write_text(f"#!/bin/bash\n{script}\n")
    program.chmod(0o755)
    done, _ = measure(tmp_path, program)
    assert done.returncode == code
    assert reason in done.stderr
    assert not (tmp_path / "run").exists()
