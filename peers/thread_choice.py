"""How many threads each step and call of `models` is worth to a framework: 1 or all, whichever is faster.

Libraries fix their threads when they start, so each count is timed in processes of its own: 1, all, all, 1. The case
`models.threads` does that once a run, so that all rounds use the same counts, as assay's own case of that name does."""

import importlib
import json
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from peers import answers
from peers.catalogue import BATCHES, PEERS, threads_artifact
from peers.interface import Framework
from peers.protocol import Parameters, Report

TURNS = 20  # of which the fastest counts
SECONDS_PER_TURN = 0.5e-3
NEAR = 1.03  # of equal times within 3 % the fewest threads win, as in assay
CHOSEN_CASES = {"models.step": "model", "models.call": "batch"}  # case -> the parameter that names the work


def work_name(case: str, value: str) -> str:
    return f"{case} {value}"


def fastest(times: dict[int, float]) -> int:
    """The fewest threads within 3 % of the fastest."""
    return min(threads for threads, spent in times.items() if spent <= NEAR * min(times.values()))


def chosen(p: Parameters) -> int:
    """The threads of a case: what `models.threads` chose, or, where there is no choice, all that are given."""
    if p.case not in CHOSEN_CASES:
        return p.threads
    choices = json.loads(p.artifact(threads_artifact(p.values)).read_text())
    return min(p.threads, int(choices[work_name(p.case, p.values[CHOSEN_CASES[p.case]])]))


def explanation(p: Parameters) -> str:
    return f"{p.threads}, the faster of 1 and all in models.threads"


def choose(name: str, p: Parameters, report: Report) -> None:
    """The case `models.threads`."""
    counts = list(dict.fromkeys([1, p.threads]))
    times: dict[str, dict[int, float]] = {}
    for threads in counts + counts[::-1]:
        for work, spent in _times_in_a_process(name, p, threads).items():
            of_work = times.setdefault(work, {})
            of_work[threads] = min(spent, of_work.get(threads, spent))
    choices = {work: fastest(of_work) for work, of_work in times.items()}
    for work, of_work in times.items():
        report.series(f"threads of {work}", ("threads", "", list(of_work)), ("time", "ns", list(of_work.values())))
        report.value(f"threads of {work}", "", "", choices[work])
    path = p.out / "threads.json"
    path.write_text(json.dumps(choices) + "\n")
    report.artifact(threads_artifact(p.values), path)


def _times_in_a_process(name: str, p: Parameters, threads: int) -> dict[str, float]:
    path = p.out / "times.json"
    artifacts = [f"{artifact}={file}" for artifact, file in p.artifacts.items()]
    command = [sys.executable, "-m", "peers.thread_choice", name, str(threads), str(p.data), str(path), *artifacts]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=2, stderr=subprocess.PIPE, text=True)
    if done.returncode:
        raise RuntimeError(f"timing with {threads} threads failed: {done.stderr[-1000:]}")
    times = json.loads(path.read_text())
    path.unlink()
    return times


def shortest_turn(call: Callable[[], object], clock: Callable[[], int] = time.perf_counter_ns) -> float:
    """Nanoseconds a call, of the fastest turn."""
    for _ in range(3):
        call()
    shortest = float("inf")
    for _ in range(TURNS):
        begin, calls, spent = clock(), 0, 0
        while spent < SECONDS_PER_TURN * 1e9:
            call()
            calls += 1
            spent = clock() - begin
        shortest = min(shortest, spent / calls)
    return shortest


def time_all(framework: Framework, models: list[str], data: Path, weights: dict[str, Path]) -> dict[str, float]:
    """Work -> nanoseconds, in this process."""
    from peers import mnist
    from peers.cases.training import BATCH

    times = {}
    for model in models:
        pixels, labels = mnist.split(data, "train", BATCH)
        x = framework.tensor(mnist.flat(pixels) if model == "mlp" else mnist.scaled(pixels))
        y, trainer = framework.tensor(labels), framework.trainer(model, answers.load(weights[model]), "adam", "fastest")
        times[work_name("models.step", model)] = shortest_turn(lambda t=trainer, x=x, y=y: t.step(x, y))
    pixels, _ = mnist.split(data, "t10k", int(BATCHES[-1]))
    for batch in BATCHES:
        call = framework.caller("serving", answers.load(weights["serving"]), "fastest")
        x = framework.tensor(np.ascontiguousarray(pixels[: int(batch)]))
        times[work_name("models.call", batch)] = shortest_turn(lambda call=call, x=x: call(x))
    return times


if __name__ == "__main__":
    peer, threads, data, out, *artifacts = sys.argv[1:]
    framework = importlib.import_module(f"peers.{peer}.framework").Framework(int(threads))
    weights = {key: Path(value) for key, _, value in (text.partition("=") for text in artifacts)}
    Path(out).write_text(json.dumps(time_all(framework, PEERS[peer].models, Path(data), weights)))
