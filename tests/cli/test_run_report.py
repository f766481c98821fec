"""`assay run` and `assay report` draw a report in any environment, and say so where they cannot."""

import os

import pytest
from program import ROOT, assay


@pytest.fixture
def home(tmp_path):
    """A checkout in which the report cannot be drawn: its Python package fails."""
    folder = tmp_path / "home"
    (folder / "plots").mkdir(parents=True)
    (folder / "plots/__main__.py").write_text("raise ImportError('broken on purpose')\n")
    for name in ("results", ".deps"):
        (folder / name).symlink_to(ROOT / name)
    return folder


def measured(program, folder, **environment):
    return assay(
        "run", "--program", program, "--profile", "quick", "--out", folder, env={**os.environ, **environment}, timeout=120
    )


def test_settings_of_notebooks_and_of_python_do_not_matter(toy, tmp_path):
    done = measured(toy(), tmp_path / "run", MPLBACKEND="module://matplotlib_inline.backend_inline")
    assert done.returncode == 0, done.stderr
    page = tmp_path / "run/report/index.html"
    first = page.read_bytes()
    page.unlink()
    again = assay("report", tmp_path / "run", "--out", tmp_path / "again", env={**os.environ, "PYTHONHOME": "/nowhere"})
    assert again.returncode == 0, again.stderr
    assert (tmp_path / "again/index.html").read_bytes() == first


def test_a_report_that_was_not_drawn_changes_the_exit_code(toy, tmp_path, home):
    done = measured(toy(), tmp_path / "run", ASSAY_HOME=str(home))
    assert done.returncode == 5
    assert "broken on purpose" in done.stderr
    assert f"the report was not drawn; run.json is whole, ./assay report {tmp_path / 'run'} draws it again" in done.stderr
    assert f"Run: {tmp_path / 'run/run.json'}" in done.stdout
    assert assay("report", tmp_path / "run", env={**os.environ, "ASSAY_HOME": str(home)}).returncode == 5
    assert assay("report", tmp_path / "run").returncode == 0


def test_a_missing_python_is_said_with_what_to_do(toy, tmp_path, home):
    (home / ".deps").unlink()
    done = measured(toy(), tmp_path / "run", ASSAY_HOME=str(home))
    assert done.returncode == 5
    assert "--no-report" in done.stderr


def test_a_failed_case_comes_before_a_failed_report(toy, tmp_path, home):
    done = measured(toy("sys.exit(1)\n"), tmp_path / "run", ASSAY_HOME=str(home))
    assert done.returncode == 3
