"""The cases of scenario `pipeline`, for frameworks with data pipelines of their own."""

import math
import time

import numpy as np

from peers import answers, mnist
from peers.cases.training import timed
from peers.interface import Framework
from peers.protocol import Parameters, Report, Skipped

BATCH = 64
STEP_S = 3e-3


def _rows(p: Parameters, count: int) -> tuple[np.ndarray, np.ndarray]:
    pixels, labels = mnist.split(p.data, "train", count)
    return pixels.astype(np.uint8), labels


def _read(begin) -> int:
    """Rows of one epoch."""
    return sum(len(batch[1]) for batch in begin())


def _check(p: Parameters, report: Report, framework: Framework) -> None:
    pixels, labels = _rows(p, BATCH)
    begin = framework.pipeline(pixels, labels, "map", "off", False)
    x = np.concatenate([framework.array(batch[0]) for batch in begin()])
    expected = answers.load(p.artifact("mapped"))["mapped"]
    error = float(np.max(np.abs(x.reshape(expected.shape) - expected)))
    report.check("mapped values without noise equal assay's", error, answers.ONE_STEP)


def epoch(p: Parameters, report: Report, framework: Framework) -> None:
    _check(p, report, framework)
    pixels, labels = _rows(p, p.length("rows"))
    begin = framework.pipeline(pixels, labels, p.values["options"], p.values.get("rewrites", "on"), True)
    report.check("an epoch has every row", abs(_read(begin) - len(labels)), 0)  # and fills the cache
    report.choose("call includes", framework.pipeline_includes)
    timed(p, report, framework.identity(), "epoch_time", lambda: _read(begin), iterations=1)


def supplied(p: Parameters, report: Report, framework: Framework) -> None:
    _check(p, report, framework)
    pixels, labels = _rows(p, p.length("rows"))
    ways = [("map", "off"), ("map", "on"), ("parallel", "on")]
    begins = [framework.pipeline(pixels, labels, options, rewrites, True) for options, rewrites in ways]
    for begin in begins:
        _read(begin)
    by_rewrites, in_all, shares = [], [], []
    for repetition in range(p.repetitions):
        spent = [0, 0, 0]
        for turn in range(3):
            which = (turn + repetition) % 3
            started = time.perf_counter_ns()
            _read(begins[which])
            spent[which] = time.perf_counter_ns() - started
        by_rewrites.append(spent[0] / spent[1])
        in_all.append(spent[0] / spent[2])
        if abs(math.log(in_all[-1])) > 1e-3:
            shares.append(math.log(by_rewrites[-1]) / math.log(in_all[-1]))
    report.numbers("speed_up_by_rewrites", "", "higher", by_rewrites)
    report.numbers("speed_up_in_all", "", "higher", in_all)
    if not shares:
        raise Skipped("a parallel map is no faster here, so there is no speed-up to share")
    report.numbers("supplied_share", "", "", shares)


def starve(p: Parameters, report: Report, framework: Framework) -> None:
    _check(p, report, framework)
    pixels, labels = _rows(p, p.length("starve_rows"))
    options = "sequential prefetch" if p.values["prefetch"] == "on" else "map"
    begin = framework.pipeline(pixels, labels, options, "off", True)
    _read(begin)
    shares = []
    for _ in range(p.repetitions):
        waiting, started = 0.0, time.perf_counter()
        batches = iter(begin())
        while True:
            asked = time.perf_counter()
            if next(batches, None) is None:
                break
            ready = time.perf_counter()
            waiting += ready - asked
            while time.perf_counter() < ready + STEP_S:
                pass
        shares.append(waiting / (time.perf_counter() - started))
    report.numbers("waiting_share", "", "lower", shares)


def noop(p: Parameters, report: Report, framework: Framework) -> None:
    values = np.arange(p.length("noop_elements"), dtype=np.float32)
    begin = framework.scalars(values, p.values.get("rewrites", "on"))
    last = [float(framework.array(batch)[-1]) for batch in begin()]
    ends = [min(end, len(values)) - 1 for end in range(BATCH, len(values) + BATCH, BATCH)]
    report.check("every batch ends with its last number", 0 if last == values[ends].tolist() else 1, 0)
    report.choose("call includes", framework.pipeline_includes)

    def call():
        for _ in begin():
            pass

    timed(p, report, framework.identity(), "element_time", call, items=len(values), iterations=1)


CASES = {"pipeline.epoch": epoch, "pipeline.supplied": supplied, "pipeline.starve": starve, "pipeline.noop": noop}
