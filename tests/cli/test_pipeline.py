"""The scenario `pipeline` from outside: every case on few rows, what it says of itself, and bad input by name."""

import json

import pytest
from program import ROOT, assay

DATA = [
    "data.parallelize_map", "data.fuse_map_batch", "data.inject_prefetch",
    "data.fuse_shuffle_repeat", "data.remove_noops", "data.autotune",
]  # fmt: skip
ALL_OFF = ["--off", ",".join(DATA)]
LENGTHS = {"rows": 200, "sweep_rows": 200, "starve_rows": 130, "noop_elements": 1000}  # no multiples of a batch of 64


def run(tmp_path, case, *options, data=ROOT / "data/mnist", **lengths):
    spelled = [x for key, value in {**LENGTHS, **lengths}.items() for x in ("--length", f"{key}={value}")]
    return assay("case", case, *options, *spelled, "--data", data, "--out", tmp_path, "--threads", "2", "--repetitions", "2")


def events(done):
    assert done.returncode == 0, done.stderr + done.stdout
    found = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
    assert found[-1]["event"] == "finish"
    assert found[-1]["status"] == "ok", found[-1]
    assert [e for e in found if e["event"] == "check" and not e["passed"]] == []
    return found


def choices(found):
    return {e["name"]: e["value"] for e in found if e["event"] == "choice"}


def metrics(found):
    return {e["metric"] for e in found if e["event"] in ("value", "samples")}


def test_the_controls_are_all_there_are():
    names = [line.split()[0] for line in assay("controls").stdout.splitlines() if line.startswith("data.")]
    assert sorted(names) == sorted(DATA)


@pytest.mark.parametrize("options", ["map", "parallel", "prefetch", "cache"])
@pytest.mark.parametrize("rewrites", ["on", "off"])
def test_the_published_table(options, rewrites, tmp_path):
    off = ALL_OFF if rewrites == "off" else []
    found = events(run(tmp_path, "pipeline.epoch", "--set", f"options={options}", "--set", f"rewrites={rewrites}", *off))
    assert metrics(found) == {"epoch_time"}
    said = choices(found)
    read = said["pipeline as read"]
    if rewrites == "off":
        assert read == said["pipeline as asked for"]
        assert said["autotuning"] == "chose nothing"
    else:
        assert "automatic calls at once" in read
        assert read.startswith(("prefetch", "map"))  # ends in a stage that runs ahead
        assert ("into batch 64" in read) == (options != "cache")  # a cache between map and batch keeps them apart
    stages = said["stages of the last epoch"].split("; ")[1:]
    elements = {stage.split(" | ")[0].split(" ")[0]: int(stage.split(" | ")[1]) for stage in stages}
    assert elements["arrays"] == (0 if options == "cache" else 200)  # the last epoch's: a full cache asks for none
    assert list(elements.values())[0] == 4  # 200 rows in batches of 64


@pytest.mark.parametrize(
    ("case", "settings", "expected"),
    [
        ("answers", [], set()),
        ("supplied", [], {"supplied_share", "speed_up_by_rewrites", "speed_up_in_all"}),
        ("sweep", ["batch=256", "calls=2", "depth=1"], {"row_time"}),
        ("sweep", ["batch=16"], {"row_time"}),
        ("starve", ["prefetch=on"], {"waiting_share"}),
        ("starve", ["map=tensorflow"], {"waiting_share"}),
        ("vectorized", ["map=scaling", "way=batches"], {"row_time"}),
        ("vectorized", [], {"row_time"}),
        ("noop", [], {"element_time"}),
        ("stragglers", ["order=free"], {"epoch_time", "effective_parallelism"}),
        ("first", [], {"first_batch_time", "first_epoch_time", "steady_epoch_time"}),
        ("cached", [], {"filling_pass_time", "cached_pass_time", "cached_bandwidth", "copy_bandwidth", "share_of_copy_bandwidth"}),
        ("train", ["feed=memory"], {"epoch_time"}),
        ("train", ["feed=map"], {"epoch_time"}),
        ("train", ["feed=cache"], {"epoch_time"}),
    ],
)
def test_a_case_runs_and_measures_what_it_declares(case, settings, expected, tmp_path):
    found = events(run(tmp_path, f"pipeline.{case}", *[x for value in settings for x in ("--set", value)]))
    assert metrics(found) == expected


def test_fewer_rows_than_a_batch(tmp_path):
    events(run(tmp_path, "pipeline.first", rows=30))
    events(run(tmp_path, "pipeline.epoch", rows=30))


def test_a_training_that_uses_every_core_keeps_them_and_it_is_said(tmp_path):
    tuned = choices(events(run(tmp_path, "pipeline.train", "--set", "feed=prefetch", rows=4000)))["autotuning"]
    assert "no core is left for it: training uses 2 of 2" in tuned


def test_the_crossover_has_every_cost_and_shares_between_0_and_1(tmp_path):
    found = events(run(tmp_path, "pipeline.crossover"))
    series = {e["name"]: e for e in found if e["event"] == "series"}
    assert len(series) == 4
    for name, one in series.items():
        assert one["x"]["values"] == [1e3, 3e3, 1e4, 3e4, 1e5, 3e5, 1e6]
        assert all(value > 0 for value in one["y"]["values"])
        assert "waiting" not in name or all(value < 1 for value in one["y"]["values"])
    waits = series["waiting by cost: without prefetch"]["y"]["values"]
    # 16 rows of 1 ms before a step of 0.75 ms: 0.955. With 1 us a row: 16 of 766, and what an epoch's begin costs.
    assert waits[-1] == pytest.approx(16 / 16.75, abs=0.05)
    assert waits[0] < 0.5


@pytest.mark.parametrize(
    "case", ["epoch", "supplied", "sweep", "starve", "crossover", "vectorized", "first", "cached", "train", "answers"]
)
def test_more_rows_than_the_data_has_are_refused(case, tmp_path):
    done = run(tmp_path, f"pipeline.{case}", rows=12001, sweep_rows=12001, starve_rows=12001)
    if case in ("crossover", "answers"):  # their own number of rows
        assert done.returncode == 0
        return
    assert done.returncode == 1
    assert "expected at least 12001 rows of data, found 12000" in json.loads(done.stdout.splitlines()[-1])["reason"]


def test_an_option_of_a_case_takes_one_word(tmp_path):
    # The case's name after an option is the name, not a second value.
    done = assay("case", "--set", "map=scaling", "pipeline.vectorized", "--length", "sweep_rows=64", "--out", tmp_path)
    events(done)
