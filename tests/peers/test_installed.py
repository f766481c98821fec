"""Runs every case of every installed peer and compares its answers with assay's. Peers that are not installed are skipped."""

import json
import os
import subprocess
from pathlib import Path

import pytest
from program import ROOT, assay

from peers.catalogue import BATCHES, PEERS, catalogue
from peers.install import state

LENGTHS = {"steps": 3, "rows": 500, "test_rows": 600, "epochs": 3, "starve_rows": 128, "noop_elements": 640}


def configurations():
    for name in PEERS:
        for scenario in catalogue(name, "")["scenarios"]:
            for case in scenario["cases"]:
                alone = [c for g in scenario["groups"] for c in g["configurations"] if c.split("{")[0] == case["name"]]
                for configuration in alone:
                    yield pytest.param(name, configuration, id=f"{name}:{configuration}")


@pytest.fixture(scope="module")
def made(tmp_path_factory) -> dict[str, dict[str, Path]]:
    """configuration -> artifact -> file, by assay itself."""
    files: dict[str, dict[str, Path]] = {}

    def make(configuration, *arguments):
        out = tmp_path_factory.mktemp("made")
        case = configuration.split("{")[0]
        done = assay("case", case, "--threads", 2, "--data", ROOT / "data/mnist", "--out", out, *arguments)
        events = [json.loads(line) for line in done.stdout.splitlines()]
        assert events[-1]["status"] == "ok", events[-1]
        files[configuration] = {e["name"]: out / e["path"] for e in events if e["event"] == "artifact"}

    make("tracing.weights")
    make("tracing.weights{model=serving}", "--set", "model=serving")
    make("tracing.seed_weights")
    make("pipeline.answers")
    make("models.weights")
    make("models.answers", *(a for n, path in files["models.weights"].items() for a in ("--artifact", f"{n}={path}")))
    weights = files["tracing.seed_weights"]["weights"]
    make(
        "tracing.fit",
        "--artifact",
        f"weights={weights}",
        *(a for k in ("steps", "rows", "test_rows", "epochs") for a in ("--length", f"{k}={LENGTHS[k]}")),
    )
    return files


@pytest.mark.parametrize("name, configuration", configurations())
def test_it_answers_as_assay_does(name, configuration, made, tmp_path):
    one = state(name, ROOT / ".deps")
    if not one["installed"]:
        pytest.skip(f"{one['title']} is not installed; this line installs it: {one['install']}")
    (case,) = [
        c for s in catalogue(name, "")["scenarios"] for c in s["cases"] if c["name"] == configuration.split("{")[0]
    ]
    command = [ROOT / "peers" / name / "program", "case", case["name"]]
    pairs = [p.split("=") for p in configuration.partition("{")[2].rstrip("}").split(",") if p]
    for key, value in pairs:
        command += ["--set", f"{key}={value}"]
    one_thread = tmp_path / "one_thread.json"  # differs from --threads, so that the test sees which one is used
    one_thread.write_text(json.dumps({f"{case['name']} {value}": 1 for value in ("mlp", "convnet", *BATCHES)}))
    for need in case["needs"]:
        chosen = need["from"].startswith("models.threads")
        file = one_thread if chosen else made[need["from"]][need["artifact"]]
        command += ["--artifact", f"{need['artifact']}={file}"]
    for key, value in LENGTHS.items():
        command += ["--length", f"{key}={value}"]
    command += [
        "--seed",
        "0",
        "--threads",
        "2",
        "--repetitions",
        "1",
        "--data",
        ROOT / "data/mnist",
        "--out",
        tmp_path,
    ]
    environment = dict(os.environ)
    for parameter in case["parameters"]:
        chosen = next((v for k, v in pairs if k == parameter["name"]), parameter["default"])
        environment |= parameter["stands_for"].get(chosen, {}).get("environment", {})
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, timeout=300, env=environment)
    events = [json.loads(line) for line in done.stdout.splitlines()]
    assert events[-1]["event"] == "finish"
    if case["name"] == "pipeline.supplied" and events[-1]["status"] == "skipped":
        pytest.skip(events[-1]["reason"])  # without a speed-up there is no share of it
    assert events[-1]["status"] == "ok", events[-1]["reason"] + done.stderr[-2000:]
    assert events[0]["threads"] == (1 if case["name"] in ("models.step", "models.call") else 2)
    checks = [e for e in events if e["event"] == "check"]
    assert [c for c in checks if not c["passed"]] == []
    assert checks or case["kind"] == "exact"
    reported = {e["metric"] for e in events if e["event"] in ("samples", "value")}
    # Tracing need not pay for itself: then there is no number of calls after which it does.
    assert {m["name"] for m in case["metrics"]} - reported <= {"break_even_calls"}
    if case["kind"] == "timed":
        times = [e for e in events if e["event"] == "samples" and e["unit"] == "ns"]
        assert all(value > 0 for e in times for value in e["values"])
