"""Unusable data: exit 2 with the file, what was expected and what was found, before anything is written."""

import gzip
import shutil
import signal
import struct
import time

import pytest
from program import ROOT, assay, start_assay

IMAGES = "train-images-idx3-ubyte.gz"
LABELS = "train-labels-idx1-ubyte.gz"


def rewrite(path, change):
    path.write_bytes(gzip.compress(change(gzip.decompress(path.read_bytes())), 1))


def break_gzip(path):
    data = path.read_bytes()
    path.write_bytes(data[:100] + bytes(50) + data[150:])


FAULTS = {
    "missing": (LABELS, lambda p: p.unlink(), LABELS),
    "empty": (LABELS, lambda p: p.write_bytes(b""), LABELS),
    "cut gzip": (IMAGES, lambda p: p.write_bytes(p.read_bytes()[:5000]), IMAGES),
    "broken gzip": (IMAGES, break_gzip, IMAGES),
    "neither gzip nor IDX": (IMAGES, lambda p: p.write_bytes(b"hello" * 100), "2051"),
    "truncated": (IMAGES, lambda p: rewrite(p, lambda d: d[:-1]), "9407999"),
    "trailing": (LABELS, lambda p: rewrite(p, lambda d: d + b"\0"), LABELS),
    "magic": (IMAGES, lambda p: rewrite(p, lambda d: struct.pack(">I", 2049) + d[4:]), "2051"),
    "count": (LABELS, lambda p: rewrite(p, lambda d: d[:4] + struct.pack(">I", 7) + d[8:]), LABELS),
    "huge count": (IMAGES, lambda p: rewrite(p, lambda d: d[:4] + struct.pack(">I", 2**32 - 1) + d[8:]), IMAGES),
    "label out of range": (LABELS, lambda p: rewrite(p, lambda d: d[:8] + b"\x0b" + d[9:]), "11"),
    "lengths differ": (LABELS, lambda p: rewrite(p, lambda d: d[:4] + struct.pack(">I", 11999) + d[8:-1]), "11999"),
}


def test_plain_idx_files_are_as_good_as_gzipped_ones(tmp_path):
    for file in (ROOT / "data/mnist").glob("*.gz"):
        (tmp_path / file.stem).write_bytes(gzip.decompress(file.read_bytes()))
    done = assay("case", "pipeline.answers", "--data", tmp_path, "--out", tmp_path)
    assert done.returncode == 0, done.stderr
    assert assay("cases", "--data", tmp_path).returncode == 0
    (tmp_path / LABELS.removesuffix(".gz")).unlink()
    done = assay("cases", "--data", tmp_path)
    assert done.returncode == 2
    assert LABELS in done.stderr and "found neither" in done.stderr


def test_too_few_rows_are_known_before_the_run(tmp_path):
    data = tmp_path / "data"
    shutil.copytree(ROOT / "data/mnist", data)
    rewrite(data / IMAGES, lambda d: d[:4] + struct.pack(">I", 1000) + d[8 : 16 + 784 * 1000])
    rewrite(data / LABELS, lambda d: d[:4] + struct.pack(">I", 1000) + d[8 : 8 + 1000])
    done = assay("run", "tracing", "--profile", "quick", "--data", data, "--out", tmp_path / "run")
    assert done.returncode == 2
    assert "expected at least 8000 rows" in done.stderr and "found 1000" in done.stderr
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize("fault", FAULTS)
def test_unusable_data(fault, tmp_path):
    file, damage, named = FAULTS[fault]
    data = tmp_path / "data"
    shutil.copytree(ROOT / "data/mnist", data)
    damage(data / file)
    done = assay("run", "tracing", "--profile", "quick", "--data", data, "--out", tmp_path / "run")
    assert done.returncode == 2, done.stderr
    assert file.split("-")[0] in done.stderr
    assert named in done.stderr
    assert "expected" in done.stderr
    assert not (tmp_path / "run").exists()


def test_a_run_is_resumed_only_with_its_data(tmp_path):
    data, run = tmp_path / "data", tmp_path / "run"
    shutil.copytree(ROOT / "data/mnist", data)
    started = start_assay("run", "machine", "--profile", "quick", "--data", data, "--out", run)
    records = run / "records.jsonl"
    while not records.exists() or not records.read_bytes().endswith(b"\n"):
        assert started.poll() is None
        time.sleep(0.05)
    started.send_signal(signal.SIGINT)
    started.communicate(timeout=60)
    assert started.returncode == 130
    written = records.read_bytes()

    rewrite(data / LABELS, lambda d: d[:8] + bytes([(d[8] + 1) % 10]) + d[9:])  # readable, but other data
    done = assay("run", "--resume", run)
    assert done.returncode == 5, done.stderr
    assert str(data) in done.stderr and "sha256" in done.stderr
    shutil.rmtree(data)
    done = assay("run", "--resume", run)
    assert done.returncode == 2, done.stderr
    assert str(data) in done.stderr and "expected" in done.stderr
    assert records.read_bytes() == written
