"""The peers' timing loop, on a clock that the test controls."""

from peers.timing import measure


class Clock:
    """Moves only when a call adds to it."""

    def __init__(self):
        self.now = 0

    def __call__(self):
        return self.now


def test_a_fixed_count_is_divided_by_itself_and_restored_before_each_repetition():
    clock, log = Clock(), []

    def call():
        log.append("call")
        clock.now += 7

    def restore():
        log.append("restore")
        clock.now += 1000  # outside of the timer

    timing = measure(call, repetitions=2, iterations=3, restore=restore, clock=clock)
    assert timing.samples == [7, 7]
    assert timing.warmup == 1
    assert log == ["restore", "call"] + 2 * ["restore", "call", "call", "call"]


def test_without_a_count_a_repetition_lasts_long_enough():
    clock, calls = Clock(), [0]

    def call():
        calls[0] += 1
        clock.now += 1_000_000

    timing = measure(call, repetitions=3, clock=clock)
    assert timing.samples == [1_000_000] * 3
    in_samples = (calls[0] - timing.warmup) / 3
    assert 50 <= in_samples <= 120, "50 ms of calls of 1 ms, and not much more"


def test_a_slow_call_gets_as_many_repetitions_as_a_fast_one():
    clock, calls = Clock(), [0]

    def call():
        calls[0] += 1
        clock.now += 60_000_000

    timing = measure(call, repetitions=5, clock=clock)
    assert timing.samples == [60_000_000] * 5
    assert calls[0] == 6  # one to warm up


def test_each_repetition_is_its_own_sample():
    clock, cost = Clock(), iter([5, 10, 10, 30, 30])

    def call():
        clock.now += next(cost)

    assert measure(call, repetitions=2, iterations=2, clock=clock).samples == [10, 30]
