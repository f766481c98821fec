"""`./assay peers` and `install`, without a network: the environment's Python is a script of the test."""

import fcntl
import json
import os
import signal
import subprocess
import sys
import threading

import pytest
from program import ROOT

from peers import install as module
from peers.__main__ import main
from peers.install import STAMP, CannotInstall, install, state

# Makes what a venv has, and a pip whose end the test chooses.
FAKE = """#!/bin/sh
if [ "$2" = venv ]; then
  mkdir -p "$3/bin" && cp "$0" "$3/bin/python"
else
  echo "$@" >>"{log}"
  exit {code}
fi
"""


@pytest.fixture
def python(tmp_path):
    def make(code=0):
        path = tmp_path / "python"
        path.write_text(FAKE.format(log=tmp_path / "log", code=code))
        path.chmod(0o755)
        return str(path)

    return make


@pytest.fixture(autouse=True)
def with_a_network(monkeypatch):
    monkeypatch.delenv("ASSAY_OFFLINE", raising=False)


def test_an_environment_is_made_whole_from_the_peers_own_list(tmp_path, python):
    deps = tmp_path / "deps"
    assert state("jax", deps)["installed"] is False
    install("jax", deps, python())
    one = state("jax", deps)
    assert one["installed"] and one["current"] and one["bytes"] > 0
    assert f"-r {ROOT}/peers/jax/requirements.txt" in (tmp_path / "log").read_text()
    assert sorted(p.name for p in (deps / "peers").iterdir()) == ["jax"]


def test_a_list_that_changed_makes_the_environment_an_older_version(tmp_path, python):
    install("jax", tmp_path, python())
    (tmp_path / "peers/jax" / STAMP).write_text("0" * 64 + "\n")
    assert state("jax", tmp_path)["installed"] is True
    assert state("jax", tmp_path)["current"] is False


def test_a_failed_installation_leaves_nothing_and_names_the_command(tmp_path, python):
    with pytest.raises(CannotInstall, match="exit code 7") as caught:
        install("jax", tmp_path, python(7))
    assert "pip install" in str(caught.value)
    assert list((tmp_path / "peers").iterdir()) == []


def test_a_failed_installation_keeps_the_previous_environment(tmp_path, python):
    install("jax", tmp_path, python())
    (tmp_path / "peers/jax/mark").write_text("before")
    with pytest.raises(CannotInstall):
        install("jax", tmp_path, python(1))
    assert (tmp_path / "peers/jax/mark").read_text() == "before"
    assert sorted(p.name for p in (tmp_path / "peers").iterdir()) == ["jax"]
    install("jax", tmp_path, python())
    assert not (tmp_path / "peers/jax/mark").exists(), "made anew"


def test_without_a_network_the_command_says_so_and_exits_5(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("ASSAY_OFFLINE", "1")
    assert main(["install", "pytorch"], tmp_path) == 5
    assert "PyTorch was not installed: ASSAY_OFFLINE is set" in capsys.readouterr().err
    assert not (tmp_path / "peers/pytorch").exists()


def test_a_network_that_fails_is_exit_code_5_and_nothing_kept(tmp_path):
    """The real pip, whose index is a port where nobody listens."""
    environment = {
        **os.environ,
        "PIP_INDEX_URL": "http://127.0.0.1:9/simple",
        "PIP_NO_CACHE_DIR": "1",
        "PYTHONPATH": str(ROOT),
    }
    for name in ("PIP_FIND_LINKS", "PIP_EXTRA_INDEX_URL", "ASSAY_OFFLINE"):
        environment.pop(name, None)
    code = f"import pathlib, sys; from peers.__main__ import main; sys.exit(main(['install', 'onnxruntime'], pathlib.Path({str(tmp_path)!r})))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment, timeout=120)
    assert done.returncode == 5, done.stderr
    assert "ONNX Runtime was not installed: this failed with exit code 1" in done.stderr
    assert [p.name for p in (tmp_path / "peers").iterdir()] == [".lock"]


def test_a_folder_that_cannot_be_written_is_exit_code_5(tmp_path, capsys):
    (tmp_path / "deps").write_text("a file")
    assert main(["install", "jax"], tmp_path / "deps") == 5
    assert "clone assay into a folder that you can write" in capsys.readouterr().err


@pytest.mark.parametrize(
    "wrong, says",
    [
        ("jaxx", "did you mean 'jax'?"),
        ("tensorflw", "did you mean 'tensorflow'?"),
        ("x", "there are: tensorflow pytorch"),
    ],
)
def test_an_unknown_name_gets_a_spelling_suggestion(wrong, says, tmp_path, capsys):
    assert main(["install", "jax", wrong], tmp_path) == 2
    assert f"assay: unknown peer '{wrong}'; {says}" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == [], "not even the right one was begun"


def test_ctrl_c_keeps_nothing_and_exits_130(tmp_path):
    slow = tmp_path / "python"
    slow.write_text("#!/bin/sh\nmkdir -p \"$3/bin\"\necho begun >&2\nexec sleep 60\n")
    slow.chmod(0o755)
    code = (
        "import functools, pathlib, sys, peers.__main__ as command; "
        f"command.install = functools.partial(command.install, python={str(slow)!r}); "
        f"sys.exit(command.main(['install', 'jax'], pathlib.Path({str(tmp_path)!r})))"
    )
    # A shell ignores SIGINT in the processes that it starts in the background.
    going = subprocess.Popen(
        [sys.executable, "-c", "import signal; signal.signal(signal.SIGINT, signal.default_int_handler); " + code],
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    while going.stderr.readline() != "begun\n":
        assert going.poll() is None
    going.send_signal(signal.SIGINT)
    said = going.communicate(timeout=30)[1]
    assert going.returncode == 130
    assert said == "assay: stopped; JAX was not installed and nothing was kept\n"
    assert [p.name for p in (tmp_path / "peers").iterdir()] == [".lock"]


def test_a_second_installation_says_that_it_waits(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("ASSAY_OFFLINE", "1")
    (tmp_path / "peers").mkdir()
    with open(tmp_path / "peers/.lock", "w") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        threading.Timer(0.3, lambda: fcntl.flock(held, fcntl.LOCK_UN)).start()
        assert main(["install", "jax"], tmp_path) == 5
    assert "waiting for another installation to end" in capsys.readouterr().err


@pytest.mark.parametrize("pipe_signal", [signal.SIG_DFL, signal.SIG_IGN])
def test_a_reader_that_goes_away_ends_the_list_quietly(pipe_signal):
    read, write = os.pipe()
    os.close(read)
    done = subprocess.run(
        [ROOT / "assay", "peers"],
        stdout=write,
        stderr=subprocess.PIPE,
        text=True,
        timeout=60,
        restore_signals=False,
        preexec_fn=lambda: signal.signal(signal.SIGPIPE, pipe_signal),
    )
    os.close(write)
    assert done.stderr == ""
    assert done.returncode == 128 + signal.SIGPIPE


def test_the_list_says_what_installs_each(tmp_path, python, capsys):
    install("jax", tmp_path, python())
    assert main(["--json"], tmp_path) == 0
    listed = {one["name"]: one for one in json.loads(capsys.readouterr().out)}
    assert list(listed) == ["tensorflow", "pytorch", "jax", "onnxruntime"]
    assert listed["tensorflow"]["version"] == "2.21.0"
    assert [name for name, one in listed.items() if one["installed"]] == ["jax"]
    assert main([], tmp_path) == 0
    text = capsys.readouterr().out
    assert "./assay peers install tensorflow" in text
    assert "./assay peers install jax" not in text


def test_the_launcher_answers_without_a_build():
    done = subprocess.run([ROOT / "assay", "peers", "--json"], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    assert [one["install"] for one in json.loads(done.stdout)] == [
        f"./assay peers install {name}" for name in module.PEERS
    ]
