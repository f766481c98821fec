"""The guides docs/writing_*.md, followed literally: their steps are applied to copies of the sources, which are compiled and run."""

import json
import re
import shlex
import shutil
import subprocess
from pathlib import Path

from program import PROGRAM, ROOT, assay

BUILD = PROGRAM.resolve().parent
STEP = re.compile(
    r"^(?P<how>Create|At the end of|In) `(?P<path>[^`]+)`(?:, after `(?P<anchor>[^\n]+)`)?:\n```\w+\n(?P<code>.*?)^```$",
    re.MULTILINE | re.DOTALL,
)


def apply(guide: str, tree: Path) -> list[str]:
    """Applies the steps of the guide to copies below `tree`; returns the files that they touch. Every block of code is part of a step."""
    text = (ROOT / "docs" / guide).read_text(encoding="utf-8")
    steps = list(STEP.finditer(text))
    assert 0 < len(steps) == text.count("\n```\n")
    touched = []
    for step in steps:
        path, anchor, code = step["path"], step["anchor"], step["code"]
        source, copy = ROOT / path, tree / path
        if path not in touched:
            touched.append(path)
            assert source.exists() == (step["how"] != "Create"), path
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_text(source.read_text(encoding="utf-8") if source.exists() else "", encoding="utf-8")
        old = copy.read_text(encoding="utf-8")
        if step["how"] == "In":
            assert old.count(f"{anchor}\n") == 1, f"{path}: {anchor}"
            new = old.replace(f"{anchor}\n", f"{anchor}\n{code}")
        else:
            new = old + code
        copy.write_text(new, encoding="utf-8")
    return touched


def compile_one(source: str, tree: Path, like: str) -> str:
    """Compiles the source, the copy in `tree` where there is one, with the build's flags for `like` and no optimization."""
    commands = json.loads((BUILD / "compile_commands.json").read_text())
    words = next(shlex.split(c["command"]) for c in commands if Path(c["directory"], c["file"]).resolve() == ROOT / like)
    flags = [w for w in words[1 : words.index("-o")] if not re.fullmatch(r"-O\d|-Winvalid-pch", w)]
    copy, output = tree / source, tree / (source.replace("/", "+") + ".o")
    ccache = [found] if (found := shutil.which("ccache")) else []
    command = [*ccache, words[0], f"-I{tree}", *flags, "-O0", "-o", str(output), "-c", str(copy if copy.exists() else ROOT / source)]
    done = subprocess.run(command, cwd=BUILD, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return str(output)


def link(target: str, objects: list[str], keep: str, tree: Path) -> Path:
    """Links the target of the build from these objects, those of its own that match `keep`, and its libraries."""
    commands = subprocess.run(["ninja", "-C", str(BUILD), "-t", "commands", target], capture_output=True, text=True, check=True).stdout
    command = next(part for part in commands.splitlines()[-1].split(" && ") if f"-o {target} " in part)
    words = [w.replace("\\$", "$") for w in shlex.split(command) if not w.endswith(".o") or re.search(keep, w)]
    # Below the tree as in a checkout: the program finds oneDNN's library by a path relative to its own folder.
    program = tree / "build/release/linked"
    program.parent.mkdir(parents=True)
    (tree / ".deps").symlink_to(ROOT / ".deps")
    place = words.index("-o")
    words[place + 1] = str(program)
    words[place:place] = objects
    done = subprocess.run(words, cwd=BUILD, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return program


HELPERS = ["engine/allocation_counter", "engine/kernels/run_operation", "engine/kernels/non_finite/non_finite"]


def run_tests(guide: str, tree: Path, dependents: list[str]) -> list[str]:
    """Compiles what the guide touches and `dependents`, links them before the engine's library and runs the tests among them."""
    touched = apply(guide, tree)
    sources = [path for path in [*touched, *dependents] if path.endswith(".cpp")]
    beside = {"engine/graph/passes": "engine/graph/passes/dce.cpp", "tests/engine/graph/passes": "tests/engine/graph/passes/passes.cpp"}
    compiled = {re.sub(r"\.cpp$", "", s) for s in sources}
    objects = [compile_one(s, tree, s if (ROOT / s).exists() else beside[str(Path(s).parent)]) for s in dict.fromkeys(sources)]
    kept = "|".join(h for h in HELPERS if f"tests/{h}" not in compiled)
    program = link("tests/tests_engine", objects, rf"(tests_main\.dir/main|tests_engine\.dir/({kept}))\.cpp\.o$", tree)
    done = subprocess.run([str(program)], cwd=tree, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
    assert "All tests passed" in done.stdout
    return touched


def test_the_guide_to_operations(tmp_path):
    # These have a place for each operation; so has oneDNN's back end, where there is one.
    onednn = ROOT / "engine/kernels/onednn/backend.cpp"
    in_build = onednn.as_posix() in (BUILD / "compile_commands.json").read_text()
    tables = ["engine/kernels/operation.cpp", "engine/kernels/dispatch.cpp", "engine/kernels/request.cpp", "engine/kernels/reference/backend.cpp", "engine/kernels/eigen/backend.cpp", "engine/ops/table.cpp"]
    tests = [f"tests/engine/{name}.cpp" for name in ("kernels/against_reference", "kernels/operation_cases", "ops/gradients", "kernels/run_operation", "kernels/non_finite/non_finite")]
    if in_build:
        tables.append("engine/kernels/onednn/backend.cpp")
    touched = run_tests("writing_an_operation.md", tmp_path, [*tables, *tests])
    assert len([path for path in touched if not path.startswith("docs/")]) == 6


def test_the_guide_to_controls(tmp_path):
    touched = run_tests("writing_a_control.md", tmp_path, ["engine/controls/controls.cpp", "engine/graph/passes/passes.cpp"])
    assert len([path for path in touched if not path.startswith("tests/")]) == 3


def test_the_guide_to_scenarios(tmp_path):
    touched = apply("writing_a_scenario.md", tmp_path)
    assert [path for path in touched if not path.startswith("scenarios/example/")] == ["scenarios/scenarios.def"]
    (source,) = [path for path in touched if path.endswith(".cpp")]
    objects = [compile_one(s, tmp_path, like) for s, like in ((source, "scenarios/tracing/tracing.cpp"), ("scenarios/main.cpp", "scenarios/main.cpp"))]
    program = link("assay", objects, r"(build_info|profiles)\.cpp\.o$", tmp_path)
    catalogue = json.loads(assay("cases", program=program).stdout)
    assert "example" in [scenario["name"] for scenario in catalogue["scenarios"]]
    for order in ("forward", "backward"):
        done = assay("case", "example.sum", "--set", f"order={order}", "--repetitions", 1, program=program)
        assert done.returncode == 0, done.stderr
        (check,) = [event for event in map(json.loads, done.stdout.splitlines()) if event["event"] == "check"]
        assert check["passed"]
