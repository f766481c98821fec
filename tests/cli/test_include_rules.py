"""The arrows of docs/architecture.md: who may include whom. Read from the sources, so that a wrong include is a red test."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]', re.MULTILINE)

# A folder includes itself and folders before it.
ORDER = {
    "engine": ["core", "controls", "data", "kernels", "graph", "exec", "ops", "autograd", "precision", "nn"],
    "harness": [
        *("errors", "text", "json", "files", "timing", "machine", "cases", "stats", "run"),
        *("claims", "results", "ablation", "gate", "commands"),
    ],
}


def violations(path: str, text: str) -> list[str]:
    """Every include of `text`, a source at `path` (relative to the root), that breaks a rule."""
    parts = path.split("/")
    found = []
    for bracket, target in INCLUDE.findall(text):
        layer = target.split("/")[0]
        if bracket == '"' and "/" not in target:
            found.append(f"{path} includes {target}: write it from the root")
        if layer not in ("engine", "harness", "scenarios", "tests"):
            continue
        if parts[0] in ("engine", "harness") and layer != parts[0]:
            found.append(f"{path} includes {target}: {parts[0]} knows nothing of {layer}")
        if parts[0] == "scenarios" and layer == "tests":
            found.append(f"{path} includes {target}: only tests include tests")
        if parts[0] == layer and layer in ORDER:
            here, there = parts[1], target.split("/")[1]
            if ORDER[layer].index(there) > ORDER[layer].index(here):
                found.append(f"{path} includes {target}: {there} comes after {here}")
    return found


def sources() -> list[Path]:
    return [p for folder in ("engine", "harness", "scenarios") for p in (ROOT / folder).rglob("*.[ch]pp")]


@pytest.mark.parametrize("layer", ORDER)
def test_every_folder_has_its_place(layer):
    assert sorted(ORDER[layer]) == sorted(p.name for p in (ROOT / layer).iterdir() if p.is_dir())


def test_no_source_breaks_a_rule():
    files = sources()
    assert len(files) > 50
    assert [v for p in files for v in violations(str(p.relative_to(ROOT)), p.read_text())] == []


@pytest.mark.parametrize(
    ("path", "include"),
    [
        ("engine/nn/model.cpp", '#include "harness/run/process.hpp"'),
        ("harness/run/process.cpp", '#include "engine/core/shape.hpp"'),
        ("harness/timing/timer.hpp", '#include "harness/cases/reporter.hpp"'),
        ("harness/run/process.cpp", '#include "scenarios/tracing/tracing.hpp"'),
        ("engine/core/shape.cpp", '#include "engine/nn/model.hpp"'),
        ("engine/kernels/eigen/matmul.cpp", '#include "engine/ops/matmul.hpp"'),
        ("engine/graph/graph.hpp", '#include "engine/exec/plan.hpp"'),
        ("engine/exec/plan.cpp", '#include "engine/ops/op_info.hpp"'),
        ("engine/ops/compute.cpp", '#include "engine/autograd/gradients.hpp"'),
        ("engine/core/shape.cpp", '#include "shape.hpp"'),
    ],
)
def test_a_wrong_include_is_found(path, include):
    assert len(violations(path, include + "\n")) == 1


def test_namespaces_stay_out_of_headers():
    guilty = [str(p.relative_to(ROOT)) for p in sources() if p.suffix == ".hpp" and "using namespace" in p.read_text()]
    assert guilty == []


def test_files_stay_short():
    long = {str(p.relative_to(ROOT)): n for p in sources() if (n := len(p.read_text().splitlines())) > 400}
    assert long == {}


def test_no_test_name_breaks_its_registration():
    """CMake's lists end at brackets and semicolons: a test case named with one swallows all that follow, which then never run."""
    names = [n for p in (ROOT / "tests").rglob("*.cpp") for n in re.findall(r'TEST_CASE\("([^"]*)"', p.read_text())]
    assert len(names) > 200
    assert [n for n in names if set(n) & set("[];\\")] == []
    assert len(names) == len(set(names))


TYPE = re.compile(r"^(?:enum class|enum|class|struct) (\w+)(?: final)?(?: : [^;{]*)? \{", re.MULTILINE)
NAMESPACE = re.compile(r"^(?:inline )?namespace ?([\w:]*) \{$|^\}  // namespace ?([\w:]*)$", re.MULTILINE)
PROGRAMS = [("engine", "harness", "scenarios"), ("engine", "tests/engine"), ("harness", "tests/harness")]


def types(text: str) -> list[str]:
    """The whole names of the types that a source defines and that other sources of a program would see."""
    found, inside = [], []
    for match in sorted([*NAMESPACE.finditer(text), *TYPE.finditer(text)], key=lambda m: m.start()):
        if match.re is TYPE:
            if "" not in inside:
                found.append("::".join([*inside, match[1]]))
        elif match[0].startswith("}"):
            inside.pop()
        else:
            inside.append(match[1])
    return found


@pytest.mark.parametrize("folders", PROGRAMS, ids=" ".join)
def test_no_program_has_two_types_of_one_name(folders):
    """The linker takes one of two inline functions of one name: undefined behaviour that no compiler reports."""
    homes = {}
    for file in (p for folder in folders for p in (ROOT / folder).rglob("*.[ch]pp")):
        if "no_onednn" in file.parts:
            continue  # stands in the place of onednn/
        for name in types(file.read_text()):
            homes.setdefault(name, []).append(str(file.relative_to(ROOT)))
    assert len(homes) > 50
    assert {name: files for name, files in homes.items() if len(files) > 1} == {}


def test_types_are_found_with_their_namespace():
    text = "namespace a::b {\nstruct One {\n};\nnamespace {\nclass Two {\n};\n}  // namespace\nenum class Three { x };\n}  // namespace a::b\n"
    assert types(text) == ["a::b::One", "a::b::Three"]
