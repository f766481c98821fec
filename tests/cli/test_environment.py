"""The environment that a user, a hook or another tool leaves behind changes no result: what each variable is handled as stands in one table."""

import json
import os
import re
import shutil
import subprocess

import pytest
from program import PROGRAM, ROOT, assay

CPUS = len(os.sched_getaffinity(0))


def said_by_doctor(**variables):
    done = assay("doctor", "--json", env=variables)
    assert done.returncode in (0, 5), done.stderr
    return json.loads(done.stdout)


def finding(said, name):
    return [one for one in said["findings"] if one["name"] == name]


def table():
    done = assay("doctor", "--environment", "--json")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def events_of(done):
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_openmp_settings_neither_bind_the_program_nor_go_unsaid():
    said = said_by_doctor(OMP_THREAD_LIMIT="1", GOMP_CPU_AFFINITY="0", OMP_PROC_BIND="true")
    assert finding(said, "processors")[0]["value"].startswith(f"{CPUS} of ")
    first = finding(said, "environment")[0]["value"]
    assert first.startswith("cleared: ")
    assert {"GOMP_CPU_AFFINITY", "OMP_PROC_BIND", "OMP_THREAD_LIMIT"} <= set(first.removeprefix("cleared: ").split(", "))


def test_a_plan_is_explained_under_a_thread_limit():
    """oneDNN's generated code waits for a team's threads: one that OpenMP does not give it was waited for without end."""
    threads = str(min(2, CPUS))
    usual = assay("explain", "tracing.step", "--threads", threads, "--json")
    assert usual.returncode == 0, usual.stderr
    limited = assay(
        "explain", "tracing.step", "--threads", threads, "--json", env={"OMP_THREAD_LIMIT": "1", "ONEDNN_MAX_CPU_ISA": "SSE41"}
    )
    assert limited.returncode == 0, limited.stderr
    assert json.loads(limited.stdout) == json.loads(usual.stdout)


@pytest.mark.parametrize("name, value", [("HWLOC_SYNTHETIC", "package:4 core:8 pu:2"), ("HWLOC_XMLFILE", "/nonexistent.xml"), ("HWLOC_FSROOT", "/nonexistent")])
def test_another_machines_topology_does_not_change_the_key(name, value):
    assert said_by_doctor(**{name: value})["key"] == said_by_doctor()["key"]


def test_google_benchmark_writes_no_file_and_measures(tmp_path):
    mine = tmp_path / "mine"
    mine.write_text("precious")
    done = assay(
        *("case", "machine.process", "--out", tmp_path, "--repetitions", "1"),
        env={"BENCHMARK_OUT": str(mine), "BENCHMARK_LIST_TESTS": "true", "BENCHMARK_FILTER": "nothing", "BENCHMARK_REPETITIONS": "3"},
    )
    assert done.returncode == 0, done.stderr
    samples = [one for one in events_of(done) if one["event"] == "samples"]
    assert [len(one["values"]) for one in samples] == [1]
    assert mine.read_text() == "precious"


def test_the_kernels_program_keeps_google_benchmarks_variables_and_clears_the_others():
    kernels = PROGRAM.parent / "assay_kernels"
    variables = {**os.environ, "BENCHMARK_LIST_TESTS": "true", "BENCHMARK_FILTER": "^matmul/", "GOMP_CPU_AFFINITY": "0"}
    done = subprocess.run([kernels, "--threads", str(CPUS)], env=variables, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr  # bound to one CPU, it would refuse more threads
    assert done.stdout and all(line.startswith("matmul/") for line in done.stdout.splitlines())


def test_what_acts_is_shown_by_the_doctor_and_recorded_in_the_run(toy, tmp_path):
    one = [f for f in finding(said_by_doctor(MALLOC_ARENA_MAX="1"), "environment") if f["value"] == "MALLOC_ARENA_MAX=1"]
    assert [(f["verdict"], f["command"]) for f in one] == [("note", "unset MALLOC_ARENA_MAX")]
    assert "allocator" in one[0]["effect"]
    run = tmp_path / "run"
    done = assay(
        *("run", "--program", toy(), "--profile", "quick", "--no-report", "--out", run),
        env={"MALLOC_ARENA_MAX": "1", "OMP_NUM_THREADS": "64"},
    )
    assert done.returncode in (0, 5), done.stderr
    environment = json.loads((run / "run.json").read_text())["state"]["before"]["environment"]
    assert environment["reported"]["MALLOC_ARENA_MAX"] == "1"
    assert "OMP_NUM_THREADS" in environment["cleared"]


def example_of(rule, folder):
    """A variable that the rule is meant for, with a value that stops nothing where it gets through."""
    name = rule["name"].replace("*", "X_EXAMPLE")
    return name, str(folder) if name in ("TMPDIR", "PYTHONPATH", "MPLCONFIGDIR") else "0"


def test_every_rule_acts_on_what_the_harness_starts(toy, tmp_path):
    rules = table()
    variables = dict(example_of(rule, tmp_path) for rule in rules)
    body = """
event(event="choice", name="environment", value=dict(os.environ))
event(event="samples", metric="step_time", unit="ns", better="lower", values=[100.0], warmup=1)
event(event="check", name="answer", passed=True, measured=0.0, limit=1e-6)
finish()
"""
    run = tmp_path / "run"
    done = assay("run", "--program", toy(body), "--profile", "quick", "--no-report", "--out", run, env=variables)
    assert done.returncode in (0, 5), done.stderr
    records = [json.loads(line) for line in (run / "records.jsonl").read_text().splitlines()]
    events = next(one for one in records if one["record"] == "process")["events"]
    seen = next(one for one in events if one["event"] == "choice")["value"]
    for rule in rules:
        name, value = example_of(rule, tmp_path)
        expected = value if rule["handling"] == "reported" else rule["value"] or None
        assert seen.get(name) == expected, rule
    assert not set(seen) & {"OMP_NUM_THREADS", "OMP_THREAD_LIMIT"}


def git(folder, *arguments):
    variables = {**os.environ, "GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_SYSTEM": "/dev/null"}
    identity = ("-c", "user.name=A", "-c", "user.email=a@example.org")
    return subprocess.run(["git", "-C", str(folder), *identity, *arguments], check=True, capture_output=True, text=True, env=variables).stdout.strip()


@pytest.mark.skipif(not shutil.which("git"), reason="no git on this machine, so no hook either")
def test_a_hooks_repository_is_not_taken_for_the_one_that_is_gated(tmp_path):
    ours, theirs = tmp_path / "ours", tmp_path / "theirs"
    for folder in (ours, theirs):
        folder.mkdir()
        git(folder, "init", "-q")
        git(folder, "commit", "-q", "--allow-empty", "-m", folder.name)
    only_theirs = git(theirs, "commit-tree", "HEAD^{tree}", "-m", "another")
    hook = {"GIT_DIR": str(theirs / ".git"), "GIT_WORK_TREE": str(theirs), "GIT_INDEX_FILE": str(theirs / ".git/index")}
    data = ROOT / "data/mnist"
    done = assay("gate", "--against", only_theirs, "--data", data, env={"ASSAY_HOME": str(ours), **hook})
    assert done.returncode == 4
    assert "git knows no such commit" in done.stderr
    done = assay("gate", "--against", "HEAD", "--data", data, env={"ASSAY_HOME": str(ours), "GIT_DIR": "/nonexistent"})
    assert done.returncode == 4
    assert "has no requirements.txt" in done.stderr  # it looked into the right repository


def test_scratch_files_without_a_folder_for_them_are_named():
    done = assay("explain", "tracing.step", env={"TMPDIR": "/nonexistent"})
    assert done.returncode == 5
    assert "TMPDIR" in done.stderr and "/nonexistent" in done.stderr


def test_the_documentation_has_the_same_table():
    rows = re.findall(r"^\| (`.*`) \| (cleared|set|reported)\b.* \|.*\|.*\|$", (ROOT / "docs/environment.md").read_text(), re.MULTILINE)
    documented = {name: handling for names, handling in rows for name in re.findall(r"`([^`]+)`", names)}
    assert documented == {rule["name"]: rule["handling"] for rule in table()}
