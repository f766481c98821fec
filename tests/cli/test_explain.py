"""`assay explain CASE`: the plan of a case, nothing left behind, and what it says where there is none."""

import json

import pytest
from program import TOY_BODY, assay


def explained(*arguments, **options):
    done = assay("explain", *arguments, "--json", **options)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def operations(explanation):
    return [row[0] for row in explanation["choices"]["plan"]["steps"]]


def test_the_plan_of_a_training_step():
    found = explained("tracing.step{mode=traced}", "--threads", 1)
    plan = found["choices"]["plan"]
    assert found["configuration"] == "tracing.step"
    assert plan["recorded_nodes"] > plan["passes"][-1][2] == len(plan["steps"])
    assert {row[3] for row in plan["steps"]} == {1}, "as many threads as were asked for"
    # three dense layers, forward and by their weights' and inputs' gradients (not the first input's): 2 m k n each
    products = {"matmul", "inner_product", "inner_product_data", "inner_product_weights"}
    flop = sum(row[4] for row in plan["steps"] if row[0] in products)
    assert flop == 2 * 128 * (2 * 784 * 128 + 3 * 128 * 64 + 3 * 64 * 10)
    assert operations(found).count("adam") == 1


def test_a_control_that_is_off_shows_in_the_plan():
    found = explained("tracing.step", "--off", "engine.fuse_update")
    assert operations(found).count("adam") == 6, "one a parameter"
    assert "engine.fuse_update" not in [row[0] for row in found["choices"]["plan"]["passes"]]
    same = explained("tracing.step{off=engine.fuse_update}")
    assert same["choices"]["plan"] == found["choices"]["plan"]


def test_for_people_it_is_two_tables():
    done = assay("explain", "tracing.call")
    assert done.returncode == 0
    assert "nodes recorded" in done.stdout and "engine.fuse_epilogue" in done.stdout
    lines = [line.split() for line in done.stdout.splitlines()]
    heading = next(line for line in lines if line[:2] == ["step", "operation"])
    assert heading[2:] == ["kernel", "shapes", "threads", "FLOP", "bytes", "fallback"]


@pytest.mark.parametrize("case", ["tracing.step{mode=eager}", "tracing.weights"])
def test_a_case_without_a_plan_says_so(case):
    done = assay("explain", case)
    assert done.returncode == 4
    assert f"{case} has no plan" in done.stderr
    assert ("engine.trace is off" in done.stderr) == ("eager" in case)


@pytest.mark.parametrize(
    ("case", "meant"),
    [
        ("tracing.stp", "did you mean 'tracing.step'?"),
        ("tracng.step", "did you mean 'tracing'?"),
        ("tracing.step{mode=eagr}", "did you mean 'eager'?"),
        ("tracing.step{off=engine.trce}", "did you mean 'engine.trace'?"),
        ("tracing.step{", "closing brace"),
    ],
)
def test_a_wrong_name_is_told_the_right_one(case, meant):
    done = assay("explain", case)
    assert done.returncode == 2
    assert meant in done.stderr


def test_a_program_that_is_not_ours_and_one_that_fails(tmp_path, toy):
    plan = {"passes": [["toy.fuse", 2, 3]], "steps": [["dot", "toy:dot", "4, 4 -> scalar", 2, 8, 36, [0]]], "fallbacks": ["no fast dot"]}
    left = tmp_path / "left"
    left.mkdir()
    body = f"event(event='choice', name='plan', value={plan!r})\n" + TOY_BODY
    done = assay("explain", "toy.step", "--program", toy(body), env={"TMPDIR": str(left)})
    assert done.returncode == 0, done.stderr
    assert "toy:dot" in done.stdout and "fallback 1: no fast dot" in done.stdout
    done = assay("explain", "toy.step", "--program", toy("finish('failed', 'no luck'); sys.exit(1)"), env={"TMPDIR": str(left)})
    assert done.returncode == 3
    assert "no luck" in done.stderr
    assert list(left.iterdir()) == []


@pytest.mark.parametrize("broken", [{"passes": 1, "steps": []}, {"passes": [], "steps": [["dot"]]}, {"passes": [[1, 2, 3]], "steps": []}])
def test_what_is_no_plan_is_shown_as_it_is(toy, broken):
    done = assay("explain", "toy.step", "--program", toy(f"event(event='choice', name='plan', value={broken!r})\n" + TOY_BODY))
    assert done.returncode == 4
    assert json.dumps(broken["passes"]) in done.stdout.replace(",", ", ").replace("  ", " ")
