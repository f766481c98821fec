"""What the report says in words about the published slow-down of mixed float16."""

import pytest

from plots.scenarios.precision import in_words, tables


@pytest.mark.parametrize(
    ("ratio", "emulated", "words"),
    [
        (40.65, None, "It appears."),
        (28, 1, "It appears."),
        (81.3, None, "Slower here too, and 2 times more so."),
        (4.065, 0, "Slower here too, but 10 times less so. Every product has native"),
        (2.6, 0.556, "55.6 % of the arithmetic is emulated"),
        (0.8, 0, "It does not appear: mixed float16 is not slower here."),
        (3.3, None, "its oneDNN switch decides"),
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
