"""The timing loop of every peer: raw samples, one a repetition, in ns a call."""

import gc
import time
from collections.abc import Callable
from dataclasses import dataclass, field

SECONDS_PER_REPETITION = 0.05  # as assay's own cases: long enough for a clock of ns


@dataclass
class Timing:
    samples: list[float] = field(default_factory=list)
    warmup: int = 0  # calls before the first sample


def measure(
    call: Callable[[], object],
    *,
    repetitions: int,
    iterations: int = 0,
    restore: Callable[[], object] | None = None,
    clock: Callable[[], int] = time.perf_counter_ns,
) -> Timing:
    """Times `call` after one warm-up call: `iterations` calls a repetition, or, where that is 0, as many as take
    SECONDS_PER_REPETITION. `restore` runs before each repetition, outside the timer. Every repetition is measured, however
    long it takes, so that all programs have equally many. Garbage collection waits until a repetition is over, as in timeit."""
    timing = Timing()
    if restore:
        restore()
    call()
    timing.warmup = 1

    def run(count: int) -> int:
        if restore:
            restore()
        gc.collect()
        gc.disable()
        try:
            begin = clock()
            for _ in range(count):
                call()
            return clock() - begin
        finally:
            gc.enable()

    if not iterations:
        iterations, enough = 1, SECONDS_PER_REPETITION * 1e9
        while (spent := run(iterations)) < enough:
            timing.warmup += iterations
            # At most ten times more at once: a first call that was quick by luck must not make a repetition of minutes.
            iterations = min(iterations * 10, max(iterations + 1, int(iterations * 1.2 * enough / max(spent, 1))))
        timing.samples.append(spent / iterations)
    while len(timing.samples) < repetitions:
        timing.samples.append(run(iterations) / iterations)
    return timing
