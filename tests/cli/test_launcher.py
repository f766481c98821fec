"""The launcher where it may not install: the exact line to type, exit 5; and where nothing is missing: no installing, no building."""

import fnmatch
import os
import re
import shutil
import stat
import subprocess

import pytest
from program import ROOT

NOBODY = 65534
TABLE = "harness/machine/environment_table.cpp"


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
        # Every folder that pytest made on the way, one more of them where tests run side by side.
        if os.getuid() == 0 and "pytest-" in str(path):
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
    assert "is not writable" in done.stderr


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
    for folder in ("harness/machine", "engine", "scenarios", "tests", "build/release"):
        (checkout / folder).mkdir(parents=True)
    shutil.copy(ROOT / TABLE, checkout / TABLE)
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
    assert "continuing without oneDNN and without reports" in done.stderr
    assert "configured" in done.stderr
    assert done.stdout == f"{built} list --json\n"
    again = as_ordinary_user(built, "list", ASSAY_OFFLINE="1")
    assert again.returncode == 0, again.stderr
    assert "configured" not in again.stderr


def test_a_hooks_git_variables_do_not_record_another_commit(built, tmp_path):
    """git hooks set GIT_DIR and the like, which make every git command look into their repository."""
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    identity = ("-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "safe.directory=*")
    for folder in (built, elsewhere):
        for words in (["init", "-q"], ["commit", "-q", "--allow-empty", "-m", folder.name]):
            subprocess.run(["git", *identity, "-C", str(folder), *words], check=True)
    head = subprocess.run(["git", *identity, "-C", str(built), "rev-parse", "HEAD"], check=True, capture_output=True, text=True).stdout.strip()
    (built / "build/release/assay").write_text('#!/bin/sh\necho "$ASSAY_COMMIT"\n')
    hook = {"GIT_DIR": str(elsewhere / ".git"), "GIT_WORK_TREE": str(elsewhere), "GIT_INDEX_FILE": str(elsewhere / ".git/index")}
    trust = {"GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "safe.directory", "GIT_CONFIG_VALUE_0": "*"}  # of another owner
    done = as_ordinary_user(built, "list", ASSAY_OFFLINE="1", **hook, **trust)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == head


def test_it_clears_what_the_programs_table_clears(built):
    """Its own tools (CMake, ninja, pip, pytest) are not to see it either; Google Benchmark's variables are for `kernels`."""
    rows = re.findall(r'^    \{"([A-Za-z0-9_*]+)", (cleared|set|reported), ', (ROOT / TABLE).read_text(), re.MULTILINE)
    assert len(rows) == sum(line.startswith('    {"') for line in (ROOT / TABLE).read_text().splitlines()) > 50
    variables = {name.replace("*", "X_EXAMPLE"): "0" for name, _ in rows if not name.startswith(("LD_", "GLIBC"))}
    variables |= {"TMPDIR": "/tmp", "OMP_NUM_THREADS": "1", "BENCHMARK_OUT": "f"}
    for name in ("assay", "assay_kernels"):
        (built / "build/release" / name).write_text("#!/bin/sh\nenv\n")
        (built / "build/release" / name).chmod(0o755)
    for command in ("list", "kernels"):
        done = as_ordinary_user(built, command, ASSAY_OFFLINE="1", **variables)
        assert done.returncode == 0, done.stderr
        seen = dict(line.split("=", 1) for line in done.stdout.splitlines() if "=" in line)
        cleared = set(variables) - set(seen)
        expected = {name for name in variables if handling(rows, name) == "cleared"}
        if command == "kernels":
            expected -= {"BENCHMARK_OUT", "BENCHMARK_X_EXAMPLE"}
        assert cleared == expected
        assert set(seen["ASSAY_CLEARED"].split()) == expected


def handling(rows, name):
    """The first row that matches counts."""
    return next((what for pattern, what in rows if fnmatch.fnmatchcase(name, pattern)), "passed on")


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
