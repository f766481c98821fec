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


def as_ordinary_user(folder, *arguments, launcher=None, cwd=None, **variables):
    drop = {"user": NOBODY, "group": NOBODY, "extra_groups": []} if os.getuid() == 0 else {}
    environment = {"PATH": f"{folder.parent}/tools:{os.environ['PATH']}", "HOME": str(folder), **variables}
    return subprocess.run(
        [str(launcher or folder / "assay"), *arguments], capture_output=True, text=True, env=environment, timeout=60, cwd=cwd, **drop
    )


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


@pytest.fixture
def built(checkout):
    """The same, with nothing missing but Python's packages: the tools say so, and a program stands where the build would put it."""
    tools = checkout.parent / "tools"
    scripts = {
        "dpkg-query": "printf installed",
        "cmake": 'mkdir -p "build/$2" && : >"build/$2/build.ninja"; echo configured >&2',
        "ninja": "echo 'ninja: no work to do.'",
    }
    for name, script in scripts.items():
        (tools / name).write_text(f"#!/bin/sh\n{script}\n")
        (tools / name).chmod(0o755)
    for folder in ("harness", "engine", "scenarios", "tests", "build/release"):
        (checkout / folder).mkdir(parents=True)
    program = checkout / "build/release/assay"
    program.write_text('#!/bin/sh\necho "$ASSAY_HOME $*"\n')
    program.chmod(0o755)
    for path in (checkout / "build", checkout / "build/release"):
        path.chmod(0o777)
    return checkout


def test_it_goes_on_without_python_packages_where_there_is_no_network(built):
    """A fresh copy, not even a clone: neither .deps nor a configured build nor a history."""
    done = as_ordinary_user(built, "list", "--json", ASSAY_OFFLINE="1")
    assert done.returncode == 0, done.stderr
    assert "going on without oneDNN (its control says so) and without the report's pages" in done.stderr
    assert "configured" in done.stderr
    assert done.stdout == f"{built} list --json\n"
    again = as_ordinary_user(built, "list", ASSAY_OFFLINE="1")
    assert again.returncode == 0, again.stderr
    assert "configured" not in again.stderr


def test_it_finds_its_folder_through_links(built, tmp_path):
    (tmp_path / "one").symlink_to(built / "assay")
    (tmp_path / "two").symlink_to("one")
    done = as_ordinary_user(built, "list", launcher=tmp_path / "two", cwd="/", ASSAY_OFFLINE="1")
    assert done.returncode == 0, done.stderr
    assert done.stdout == f"{built} list\n"


def test_a_home_that_cannot_be_written_takes_no_compiler_cache_with_it(built, tmp_path):
    """ccache gives up where it cannot make its folder; the launcher gives it one."""
    program = built / "build/release/assay"
    program.write_text('#!/bin/sh\necho "$CCACHE_DIR"\n')
    done = as_ordinary_user(built, "list", HOME="/proc", ASSAY_OFFLINE="1")
    assert done.returncode == 0, done.stderr
    assert done.stdout == f"{built}/.deps/ccache\n"
    home = tmp_path / "home"
    home.mkdir()
    home.chmod(0o777)
    assert as_ordinary_user(built, "list", HOME=str(home), ASSAY_OFFLINE="1").stdout == "\n"


def test_every_file_name_of_the_packages_list_is_used_by_one_purpose():
    rows = [line.split() for line in (ROOT / "packages.txt").read_text().splitlines() if not line.startswith("#")]
    assert all(len(row) == 2 and row[1] in ("build", "check") for row in rows)
    assert len({row[0] for row in rows}) == len(rows)


def test_a_wrong_preset_is_named():
    done = subprocess.run([str(ROOT / "assay"), "test", "--preset", "nope"], capture_output=True, text=True, timeout=60)
    assert done.returncode == 2
    assert "asan" in done.stderr
