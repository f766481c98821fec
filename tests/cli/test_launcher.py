"""The launcher where it may not install: the exact line to type, exit 5; and where nothing is missing: no installing, no building."""

import os
import shutil
import stat
import subprocess

import pytest
from program import ROOT

NOBODY = 65534


@pytest.fixture
def checkout(tmp_path):
    """A folder with the launcher alone, owned by an ordinary user, on a machine where one package is missing."""
    folder = tmp_path / "checkout"
    folder.mkdir()
    for name in ("assay", "packages.txt", "requirements.txt"):
        shutil.copy(ROOT / name, folder / name)
    tools = tmp_path / "tools"
    tools.mkdir()
    query = tools / "dpkg-query"
    query.write_text('#!/bin/sh\nfor last; do :; done\n[ "$last" = ninja-build ] || printf installed\n')
    query.chmod(0o755)
    for path in (folder, tools, tmp_path, *tmp_path.parents):
        if os.getuid() == 0 and str(path).startswith(str(tmp_path.parents[1])):
            path.chmod(path.stat().st_mode | stat.S_IRWXU | stat.S_IRGRP | stat.S_IXGRP | stat.S_IROTH | stat.S_IXOTH)
    folder.chmod(0o777)
    return folder


def as_ordinary_user(folder, *arguments):
    drop = {"user": NOBODY, "group": NOBODY, "extra_groups": []} if os.getuid() == 0 else {}
    environment = {"PATH": f"{folder.parent}/tools:{os.environ['PATH']}", "HOME": str(folder)}
    return subprocess.run([str(folder / "assay"), *arguments], capture_output=True, text=True, env=environment, timeout=60, **drop)


def test_it_prints_the_line_to_type_where_it_may_not_install(checkout):
    done = as_ordinary_user(checkout, "run")
    assert done.returncode == 5, done.stderr
    assert "sudo sh -c 'apt-get update && apt-get install -y --no-install-recommends ninja-build'" in done.stderr


def test_it_says_where_it_cannot_write(checkout):
    checkout.chmod(0o555)
    if os.getuid() == 0:
        os.chown(checkout, 0, 0)
    done = as_ordinary_user(checkout, "run")
    assert done.returncode == 5
    assert "cannot be written" in done.stderr


def test_every_file_name_of_the_packages_list_is_used_by_one_purpose():
    rows = [line.split() for line in (ROOT / "packages.txt").read_text().splitlines() if not line.startswith("#")]
    assert all(len(row) == 2 and row[1] in ("build", "check") for row in rows)
    assert len({row[0] for row in rows}) == len(rows)


def test_a_wrong_preset_is_named():
    done = subprocess.run([str(ROOT / "assay"), "test", "--preset", "nope"], capture_output=True, text=True, timeout=60)
    assert done.returncode == 2
    assert "asan" in done.stderr
