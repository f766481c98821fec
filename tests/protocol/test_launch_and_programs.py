"""What stands before a case's command line, and several programs in one run, for real."""

import json

import jsonschema
import pytest
from program import TOY_BODY, assay, toy_catalogue


def step(**changes):
    case = toy_catalogue()["scenarios"][0]["cases"][0]
    case.update(changes)
    return [case]


def measure(tmp_path, *programs):
    run = tmp_path / "run"
    named = [word for program in programs for word in ("--program", program)]
    done = assay("run", *named, "--profile", "quick", "--out", run, "--no-report")
    return done, json.loads((run / "run.json").read_text()) if (run / "run.json").exists() else None


def renamed(program, name, path):
    """The same program under another name."""
    path.write_text(program.read_text().replace("'program': {'name': 'toy'", f"'program': {{'name': '{name}'"))
    path.chmod(0o755)
    return path


def test_a_launch_prefix_stands_before_the_command_line(tmp_path, toy):
    body = "event(event='choice', name='from the prefix', value=os.environ.get('TOY_PREFIX', ''))\n" + TOY_BODY
    done, document = measure(tmp_path, toy(body, cases=step(launch=["env", "TOY_PREFIX=set by env"])))
    assert done.returncode == 0, done.stderr
    choices = [e["value"] for p in document["processes"] for e in p["events"] if e["event"] == "choice"]
    assert choices == ["set by env"] * 12


def test_of_several_processes_only_the_first_speaks(tmp_path, toy):
    """As mpirun would: the prefix starts the command line twice, and ends when both have ended."""
    several = tmp_path / "several"
    several.write_text('#!/bin/bash\nRANK=1 "$@" & RANK=0 "$@"; code=$?; wait; exit $code\n')
    several.chmod(0o755)
    ranks = tmp_path / "ranks"
    program = toy(f"with open({str(ranks)!r}, 'a') as file: file.write('0')\n" + TOY_BODY, cases=step(launch=[str(several)]))
    text = program.read_text()
    silent = f"if os.environ['RANK'] == '1':\n    with open({str(ranks)!r}, 'a') as file: file.write('1')\n    sys.exit(0)\n"
    program.write_text(text.replace("event(event=\"start\"", silent + "event(event=\"start\""))
    done, document = measure(tmp_path, program)
    assert done.returncode == 0, done.stderr
    assert sorted(ranks.read_text()) == ["0"] * 12 + ["1"] * 12
    assert all(p["left_behind"] == 0 for p in document["processes"])


def test_a_prefix_that_is_no_program_is_a_failed_row(tmp_path, toy, schema):
    done, document = measure(tmp_path, toy(cases=step(launch=["no-such-launcher", "-n", "2"])))
    assert done.returncode == 3
    jsonschema.validate(document, schema)
    assert {f["reason"] for f in document["failures"]} == {"it could not be started: No such file or directory"}


def test_several_programs_share_rounds_and_are_judged_each_by_itself(tmp_path, toy, schema):
    first = toy()
    second = renamed(toy(TOY_BODY.replace("1.5", "3.0"), name="toy2"), "other", tmp_path / "other")
    done, document = measure(tmp_path, first, second)
    assert done.returncode == 0, done.stderr
    jsonschema.validate(document, schema)
    assert [p["name"] for p in document["programs"]] == ["toy", "other"]
    estimates = {c["program"]: c["estimate"] for c in document["comparisons"]}
    assert estimates == {"toy": pytest.approx(1.5), "other": pytest.approx(3.0)}
    rounds = {}
    for process in document["processes"]:
        rounds.setdefault(process["round"], []).append((process["program"], process["configuration"]))
    assert len(rounds) == 6
    for members in rounds.values():
        assert sorted(members) == sorted((p, c) for p in ("toy", "other") for c in ("toy.step", "toy.step{mode=slow}"))
    assert len({tuple(members) for members in rounds.values()}) > 1  # drawn anew for each round


def test_a_program_without_one_side_has_no_comparison_and_the_first_is_not_harmed(tmp_path, toy):
    first = toy()
    parameters = [{"name": "mode", "values": ["fast"], "default": "fast", "stands_for": {}}]
    group = [{"name": "toy.step", "configurations": ["toy.step"]}]
    second = renamed(toy(name="toy2", cases=step(parameters=parameters), groups=group, comparisons=[]), "other", tmp_path / "other")
    done, document = measure(tmp_path, first, second)
    assert done.returncode == 0, done.stderr
    assert [(c["program"], c["verdict"]) for c in document["comparisons"]] == [("toy", "regressed")]
    assert {v["configuration"] for v in document["values"] if v["program"] == "other"} == {"toy.step"}


def test_two_programs_of_one_name_are_refused(tmp_path, toy):
    done, document = measure(tmp_path, toy(), toy(name="again"))
    assert done.returncode == 2
    assert "a second program named 'toy'" in done.stderr
    assert document is None
