"""What the report says in words about the published slow-down of mixed float16."""

import pytest

from plots.scenarios.precision import fusing_in_words, in_words, tables


@pytest.mark.parametrize(
    ("ratio", "emulated", "words"),
    [
        (40.65, None, "It appears."),
        (28, 1, "It appears."),
        (81.3, None, "It appears, and it is 2 times larger here."),
        (4.065, 0, "Mixed float16 is slower here, too, but the slow-down is 10 times smaller. Every product has native"),
        (2.6, 0.556, "55.6 % of the arithmetic is emulated"),
        (2.6, 0.556, "This run cannot explain the published time"),
        (0.8, 0, "It does not appear: mixed float16 is not slower here."),
        (0.8, 3e-5, "Every product has native"),  # a bias's sum
        (3.3, None, "does not report whether its float16 kernels are native"),
    ],
)
def test_the_words_follow_from_ratio_and_emulation(ratio, emulated, words):
    assert words in in_words(ratio, emulated)


class Run:
    """As much of a run as the table asks for."""

    program_names = ["assay"]

    def __init__(self, steps):
        self._steps = steps

    def events(self, _scenario, kind):
        for configuration, time in self._steps:
            process = {"program": "assay", "configuration": configuration}
            if kind == "samples":
                yield process, {"event": "samples", "metric": "step_time", "values": [time, None]}
            elif "float16" in configuration:
                yield process, {"event": "value", "metric": "emulated_share", "value": 0.5}


def test_a_row_a_program_and_kernels_and_none_without_both_sides():
    both = [("precision.step", 2e6), ("precision.step{policy=mixed_float16}", 8e6)]
    eigen = [("precision.step{kernels=eigen}", 5e6), ("precision.step{kernels=eigen,policy=mixed_float16}", 10e6)]
    (table,) = tables(Run(both + eigen), "precision")
    assert [line[3].text for line in table.rows] == ["4", "2"]
    assert "kernels=eigen" in table.rows[1][0].text
    assert tables(Run(both[:1]), "precision") == []


def test_fusing_says_what_a_plan_has_left_to_save():
    assert fusing_in_words(100, 98, 95) == (
        "A single step spends 5 % of its time outside its kernels. Fusing could save that much, and it saves 2 %. "
        "A speed-up of 1.2 is out of reach here."
    )
    assert "out of reach" not in fusing_in_words(100, 75, 70)
    assert "spends 0 % of its time" in fusing_in_words(100, 101, 103)
    assert "saves nothing" in fusing_in_words(100, 101, 103)


class FusedRun:
    """Medians of two batch sizes; the second lacks the kernels' time."""

    program_names = ["assay"]

    def events(self, _scenario, kind):
        found = {
            "samples": [("precision.fuse", 96), ("precision.fuse{steps=16}", 94), ("precision.fuse{batch=32}", 200)],
            "value": [("precision.fuse", 72), ("precision.fuse{steps=16}", 50)],
        }
        for configuration, time in found[kind]:
            event = {"values": [time * 1e3]} if kind == "samples" else {"value": time * 1e3}
            metric = "step_time" if kind == "samples" else "kernel_time"
            yield {"program": "assay", "configuration": configuration}, {"event": kind, "metric": metric, **event}


def test_a_row_a_batch_size_with_the_kernels_of_single_steps():
    (table,) = tables(FusedRun(), "precision")
    (line,) = table.rows
    assert [cell.text for cell in line[1:5]] == ["8", "96 µs", "94 µs", "72 µs"]
    assert "spends 25 % of its time outside its kernels" in line[5].text
