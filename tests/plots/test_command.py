"""`python -m plots`: exit codes and messages of good and bad input."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def plots(*arguments, **environment) -> subprocess.CompletedProcess:
    return subprocess.run(
        [sys.executable, "-m", "plots", *map(str, arguments)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        env={**os.environ, **environment},
        timeout=120,
    )


def folder(tmp_path: Path, content: str) -> Path:
    (tmp_path / "run.json").write_text(content, encoding="utf-8")
    return tmp_path


def test_writes_a_report_and_prints_its_path(tmp_path, document):
    done = plots(folder(tmp_path, json.dumps(document)))
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == str(tmp_path / "report/index.html")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["report", "run.json"]


def test_the_users_settings_of_matplotlib_do_not_matter(tmp_path, document):
    run = folder(tmp_path, json.dumps(document))
    (tmp_path / "matplotlibrc").write_text("backend: tkagg\naxes.facecolor: red\nlines.linewidth: 9\n")
    assert plots(run, "--out", tmp_path / "plain").returncode == 0
    done = plots(
        run,
        "--out",
        tmp_path / "styled",
        MATPLOTLIBRC=str(tmp_path),
        MPLBACKEND="module://matplotlib_inline.backend_inline",
    )
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "styled/index.html").read_bytes() == (tmp_path / "plain/index.html").read_bytes()


def test_replaces_an_older_report_whole(tmp_path, document):
    run = folder(tmp_path, json.dumps(document))
    out = tmp_path / "elsewhere"
    assert plots(run, "--out", out).returncode == 0
    (out / "figures/old.svg").write_text("old")
    assert plots(run, "--out", out).returncode == 0
    assert not (out / "figures/old.svg").exists()


def test_spares_a_folder_that_holds_something_else(tmp_path, document):
    out = tmp_path / "precious"
    out.mkdir()
    (out / "thesis.txt").write_text("years of work")
    done = plots(folder(tmp_path, json.dumps(document)), "--out", out)
    assert done.returncode == 2 and "precious" in done.stderr
    assert (out / "thesis.txt").read_text() == "years of work"


@pytest.mark.parametrize(
    "content, words",
    [
        ("{", "is not JSON"),
        ("[]", "is not a run document"),
        ("{}", "is not a run document"),
        ('{"schema": 2}', "has schema 2"),
        ('{"schema": 1}', "is not a valid run document"),
        ('{"schema": "1"}', "is not a run document"),
        ('{"schema": NaN}', "NaN is no JSON number"),
    ],
)
def test_what_is_no_run_document_is_named(tmp_path, content, words):
    done = plots(folder(tmp_path, content))
    assert done.returncode == 2
    assert words in done.stderr and str(tmp_path / "run.json") in done.stderr and "Traceback" not in done.stderr
    assert not (tmp_path / "report").exists()


def test_a_folder_without_a_document(tmp_path):
    done = plots(tmp_path / "nowhere")
    assert done.returncode == 2 and "does not exist" in done.stderr and "run --resume" in done.stderr


def test_one_wrong_field_is_named(tmp_path, document):
    document["comparisons"][0]["verdict"] = "splendid"
    done = plots(folder(tmp_path, json.dumps(document)))
    assert done.returncode == 2 and "$.comparisons[0]" in done.stderr


def test_a_reader_that_went_away_is_nobodys_error(tmp_path, document):
    run = folder(tmp_path, json.dumps(document))
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(
        [sys.executable, "-m", "plots", str(run)], cwd=ROOT, stdout=writing, stderr=subprocess.PIPE, text=True, timeout=120
    )
    os.close(writing)
    assert done.returncode == 0 and done.stderr == ""
    assert (run / "report/index.html").exists()


def test_interrupted_while_drawing(tmp_path, document):
    run = folder(tmp_path, json.dumps(document))
    # The page's first import of matplotlib is where most of the time goes: interrupt there.
    code = (
        "import os, signal, sys\n"
        "class Interrupt:\n"
        "    def find_spec(self, name, *rest):\n"
        "        if name == 'plots.page': os.kill(os.getpid(), signal.SIGINT)\n"
        "sys.meta_path.insert(0, Interrupt())\n"
        "from plots.__main__ import main\n"
        "sys.exit(main(sys.argv[1:]))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(run)], cwd=ROOT, capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 130
    assert "interrupted" in done.stderr and "Traceback" not in done.stderr
    assert not (run / "report").exists()


def test_missing_matplotlib_is_said_with_the_line_to_type(tmp_path, document):
    run = folder(tmp_path, json.dumps(document))
    # -S: without the environment's own packages, as on a machine where nothing was installed.
    done = subprocess.run(
        [sys.executable, "-S", "-m", "plots", str(run)], cwd=ROOT, capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 5
    assert "matplotlib" in done.stderr and "-m pip install -r" in done.stderr
    assert not (run / "report").exists()
