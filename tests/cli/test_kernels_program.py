"""`./assay kernels`: a Google Benchmark program over the engine's operations, with that library's flags and two of ours."""

import json
import subprocess

import pytest
from program import PROGRAM


def kernels(*arguments):
    return subprocess.run(
        [str(PROGRAM.with_name("assay_kernels")), *arguments], capture_output=True, text=True, timeout=120
    )


def benchmarks(*arguments) -> list[dict]:
    done = kernels("--benchmark_format=json", "--benchmark_min_time=0.01", *arguments)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)["benchmarks"]


def test_all_operations_are_listed():
    names = kernels("--benchmark_list_tests").stdout.splitlines()
    assert len(names) > 100
    assert {"matmul", "conv2d", "relu", "sum", "add", "adam"} <= {name.split("/")[0] for name in names}


def test_json_has_counters_and_the_kernel():
    (one,) = benchmarks("--benchmark_filter=^add/2048/", "--threads", "1")
    assert one["name"] == "add/2048/real_time"
    # 2048 additions of 3 x 4 bytes each
    assert one["bytes_per_second"] == pytest.approx(12 * one["FLOP/s"], rel=1e-6)
    assert one["FLOP/s"] * one["real_time"] * 1e-9 == pytest.approx(2048, rel=0.01)
    assert one["roof"] == max(one["peak"], one["bandwidth"])
    assert one["label"].startswith("eigen:add, 1 thread")


def test_repetitions_give_numbers_only():
    """Operations that move bytes without computing have a rate of 0, whose coefficient of variation is not a number."""
    done = kernels(
        "--benchmark_format=json",
        "--benchmark_min_time=0.001",
        "--benchmark_repetitions=2",
        "--benchmark_filter=^(broadcast|cast|relu)/",
    )
    assert done.returncode == 0, done.stderr

    def refuse(name):
        raise AssertionError(f"{name} is no JSON")

    rows = json.loads(done.stdout, parse_constant=refuse)["benchmarks"]
    assert {"mean", "median", "stddev", "cv"} <= {row.get("aggregate_name") for row in rows}
    computes = {row["run_name"].split("/")[0]: "FLOP/s" in row for row in rows if "error_occurred" not in row}
    assert computes["relu"] and not computes["cast"] and not computes["broadcast"]


def test_a_control_switches_the_back_end():
    (one,) = benchmarks("--benchmark_filter=^matmul/1x64x10/", "--off", "engine.onednn")
    assert one["label"].startswith("eigen:matmul")
    (packed,) = benchmarks("--benchmark_filter=^reorder/784", "--off=engine.onednn")
    assert "no reorder" in packed["error_message"]


def test_the_context_says_what_is_off():
    done = kernels("--benchmark_format=json", "--benchmark_filter=^mean/128/", "--off", "engine.onednn", "--threads=1")
    context = json.loads(done.stdout)["context"]
    assert context["engine.onednn"] == "off"
    assert context["threads"] == "1"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--benchmark_fliter=x"], "--benchmark_fliter=x"),
        (["--off", "engine.nothing"], "engine.nothing"),
        (["--threads", "0"], "--threads"),
        (["--threads", "1000"], "--threads 1000: this process may use"),
        (["--benchmark_format=xml"], "expected console, json or csv, found 'xml'"),
        (["--benchmark_out_format=jsn", "--benchmark_list_tests"], "expected console, json or csv, found 'jsn'"),
    ],
)
def test_bad_usage_is_named(arguments, said):
    done = kernels(*arguments)
    assert done.returncode == 2
    assert said in done.stderr


def test_a_filter_that_fits_nothing_measures_nothing():
    done = kernels("--benchmark_filter=^matmull/")
    assert done.returncode == 4
    assert "^matmull/" in done.stderr


def test_help_says_both_kinds_of_flags():
    done = kernels("--help")
    assert done.returncode == 0
    assert "--off" in done.stdout
    assert "--benchmark_filter" in done.stdout
