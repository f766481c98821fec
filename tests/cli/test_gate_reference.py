"""./assay gate --against REF: a small repository whose build is a copy of a toy program."""

import shutil
import subprocess

import pytest
from gate_program import body, document_of, gate, gated, row
from program import PROGRAM

BUILD = """cmake_minimum_required(VERSION 3.20)
project(toy NONE)
add_custom_command(OUTPUT assay COMMAND ${CMAKE_COMMAND} -E copy ${CMAKE_SOURCE_DIR}/toy assay DEPENDS ${CMAKE_SOURCE_DIR}/toy)
add_custom_target(assay_program ALL DEPENDS assay)
"""
PRESETS = """{"version": 6, "configurePresets": [{"name": "release", "generator": "Ninja", "binaryDir": "${sourceDir}/build/release"}]}"""


@pytest.fixture
def repository(tmp_path, toy):
    root = tmp_path / "repository"
    root.mkdir()

    def git(*arguments):
        subprocess.run(["git", "-C", root, "-c", "user.name=t", "-c", "user.email=t@example.org", *arguments], check=True, capture_output=True)

    def commit(**files):
        for name, text in files.items():
            (root / name.replace("_txt", ".txt").replace("_json", ".json")).write_text(text)
        git("add", "-A")
        git("commit", "-q", "-m", "a commit")

    git("init", "-q")
    (root / ".gitignore").write_text(".deps\nresults\n")
    program = toy(body(), name="first", **gated())
    shutil.copy(program, root / "toy")
    commit(CMakeLists_txt=BUILD, CMakePresets_json=PRESETS, requirements_txt="nothing\n")
    return root, commit


def run(root, candidate, *arguments):
    return gate("--program", candidate, "--out", root.parent / "run", *arguments, env={"ASSAY_HOME": str(root)})


def test_what_was_built_before_is_not_used_with_other_packages(repository, toy):
    root, commit = repository
    candidate = toy(body(), name="same", **gated())
    assert run(root, candidate, "--against", "HEAD").returncode == 0
    shutil.rmtree(root.parent / "run")
    (root / "requirements.txt").write_text("something else\n")
    done = run(root, candidate, "--against", "HEAD")
    assert done.returncode == 4, done.stderr
    assert "asks for other packages" in done.stderr


def test_a_checkout_that_was_cut_off_is_made_anew(repository, toy):
    root, commit = repository
    head = subprocess.run(["git", "-C", root, "rev-parse", "HEAD"], capture_output=True, text=True, check=True).stdout.strip()
    tree = root / ".deps/worktrees" / head
    tree.mkdir(parents=True)
    (tree / "CMakeLists.txt").write_text("no project at all(")
    done = run(root, toy(body(), name="same", **gated()), "--against", "HEAD")
    assert done.returncode == 0, done.stderr


def test_a_commit_is_built_once_and_measured(repository, toy):
    root, commit = repository
    commit(README_txt="a later commit")
    slow = toy(body("1.1"), name="slow", **gated())
    done = run(root, slow, "--against", "HEAD~1")
    assert done.returncode == 1, done.stderr + done.stdout
    assert "building HEAD~1" in done.stderr
    assert "1/1  " in done.stderr  # the build's steps, as they end
    document = document_of(root.parent / "run")
    base = document["programs"][1]
    head = subprocess.run(["git", "-C", root, "rev-parse", "HEAD~1"], capture_output=True, text=True, check=True).stdout.strip()
    assert base["commit"] == head == document["gate"]["commit"]
    assert base["path"].endswith("/base/assay") and document["programs"][2]["path"].endswith("/null/assay")
    assert len({len(p["path"]) for p in document["programs"]}) == 1
    assert row(document)["verdict"] == "regressed"

    shutil.rmtree(root.parent / "run")
    done = run(root, slow, "--against", "HEAD~1")
    assert done.returncode == 1
    assert "is built already" in done.stderr


def test_a_reference_that_does_not_exist(repository, toy):
    root, _ = repository
    done = run(root, toy(body(), name="c", **gated()), "--against", "no/such/branch")
    assert done.returncode == 4
    assert "'no/such/branch' does not exist" in done.stderr


def test_a_reference_that_looks_like_an_option(repository, toy):
    root, _ = repository
    done = run(root, toy(body(), name="c", **gated()), "--against=--help")
    assert done.returncode == 4
    assert "does not exist" in done.stderr


@pytest.mark.parametrize(
    ("files", "meant"),
    [
        ({"CMakeLists_txt": "this is no CMake"}, "cannot be configured"),
        ({"CMakeLists_txt": BUILD.replace("COMMAND ${CMAKE_COMMAND}", "COMMAND false\n  COMMAND ${CMAKE_COMMAND}")}, "does not build"),
        ({"requirements_txt": "something else\n"}, "requirements.txt differs"),
    ],
)
def test_a_reference_that_cannot_be_built(repository, toy, files, meant):
    root, commit = repository
    commit(**files)
    commit(CMakeLists_txt=BUILD, requirements_txt="nothing\n", README_txt="mended")
    done = run(root, toy(body(), name="c", **gated()), "--against", "HEAD~1")
    assert done.returncode == 4, done.stderr
    assert meant in done.stderr
    assert not (root.parent / "run").exists()


def test_no_repository_at_all(tmp_path, toy):
    root = tmp_path / "plain"
    root.mkdir()
    done = run(root, toy(body(), name="c", **gated()), "--against", "HEAD")
    assert done.returncode == 4
    assert "no git checkout" in done.stderr


def test_a_dirty_tree_is_measured_and_said(repository, toy, tmp_path):
    root, _ = repository
    program = toy(body(), name="dirty", **gated())
    program.write_text(program.read_text().replace("'dirty': False", "'dirty': True"))
    done = run(root, program, "--against", "HEAD")
    assert done.returncode == 0, done.stderr + done.stdout
    assert "changes that are in no commit" in done.stderr
    assert document_of(tmp_path / "run")["programs"][0]["dirty"] is True
    assert PROGRAM.exists()
