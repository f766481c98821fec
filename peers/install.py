"""Makes the environments of the peers: `.deps/peers/NAME` from `peers/NAME/requirements.txt`. Needs no package."""

import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

from peers.catalogue import PEERS

ROOT = Path(__file__).resolve().parents[1]
STAMP = "requirements.sha256"  # in the environment: the checksum of the list that it was made from


class CannotInstall(Exception):
    """Says what failed and what to do: exit code 5."""


def requirements(name: str) -> Path:
    return ROOT / "peers" / name / "requirements.txt"


def environment(name: str, deps: Path) -> Path:
    return deps / "peers" / name


def _digest(name: str) -> str:
    return hashlib.sha256(requirements(name).read_bytes()).hexdigest()


def pinned_version(name: str) -> str:
    """Of the peer's own package in its list."""
    lines = requirements(name).read_text().splitlines()
    return next(line.partition("==")[2] for line in lines if line.startswith(PEERS[name].package + "=="))


def size_bytes(folder: Path) -> int:
    total = 0
    for path, _, files in os.walk(folder):
        total += sum(os.lstat(os.path.join(path, file)).st_size for file in files)
    return total


def state(name: str, deps: Path) -> dict:
    folder = environment(name, deps)
    made = (folder / STAMP).read_text().strip() if (folder / STAMP).is_file() else ""
    installed = bool(made) and (folder / "bin/python").exists()
    return {
        "name": name,
        "title": PEERS[name].title,
        "version": pinned_version(name),
        "installed": installed,
        "current": installed and made == _digest(name),
        "bytes": size_bytes(folder) if installed else 0,
        "install": f"./assay peers install {name}",
    }


def install(name: str, deps: Path, python: str = sys.executable) -> None:
    """Makes the environment in a temporary folder and renames it when it is complete."""
    if os.environ.get("ASSAY_OFFLINE"):
        raise CannotInstall(
            f"ASSAY_OFFLINE is set, and {PEERS[name].title} comes from PyPI: unset it where there is a network"
        )
    folder = environment(name, deps)
    aside, old = folder.with_name(f".{name}.new"), folder.with_name(f".{name}.old")
    for rest in (aside, old):
        shutil.rmtree(rest, ignore_errors=True)
    try:
        aside.parent.mkdir(parents=True, exist_ok=True)
        _run([python, "-m", "venv", str(aside)])
        pip = [
            str(aside / "bin/python"),
            "-m",
            "pip",
            "install",
            "--disable-pip-version-check",
            "--no-input",
            "--retries",
            "1",
        ]
        _run([*pip, "-r", str(requirements(name))])
        (aside / STAMP).write_text(_digest(name) + "\n")
        if folder.exists():
            folder.rename(old)
        aside.rename(folder)
    except OSError as error:
        raise CannotInstall(f"{error.filename or folder}: {error.strerror or error}") from None
    finally:
        for rest in (aside, old):
            shutil.rmtree(rest, ignore_errors=True)


def _run(command: list[str]) -> None:
    done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=2)  # pip's chatter is no answer
    if done.returncode:
        raise CannotInstall(
            f"this failed with exit code {done.returncode}; its own messages stand above. Nothing was kept. "
            f"It needs a network and Python's venv module:\n  {' '.join(command)}"
        )
