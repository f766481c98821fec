"""Configurations in words."""

import pytest

from plots.document import Run
from plots.labels import labels, program_in_words, value_in_words
from plots.scenario_report import ScenarioReport

RUN = Run({"processes": [], "programs": [{"name": "assay"}]})


def rows(*configurations: str, program: str = "assay") -> list[dict]:
    return [{"configuration": one, "program": program} for one in configurations]


def said(found: list[dict], options: ScenarioReport = ScenarioReport()) -> list[str]:
    return list(labels(RUN, found, options).values())


@pytest.mark.parametrize(
    "key, value, text",
    [
        ("threads", "all", "all threads"),
        ("threads", "1", "1 thread"),
        ("batch", "8", "batch 8"),
        ("mode", "eager", "eager"),
        ("dtype", "bfloat16", "bfloat16"),
        ("onednn", "off", "onednn off"),
        ("off", "engine.spin", "engine.spin off"),
        ("on", "engine.spin", "only engine.spin on"),
    ],
)
def test_a_value_reads_without_its_equals_sign(key, value, text):
    assert value_in_words(key, value) == text


def test_one_case_says_only_what_differs():
    assert said(rows("a.step", "a.step{mode=eager}"), ScenarioReport(defaults={"mode": "traced"})) == ["traced", "eager"]
    assert said(rows("a.step{mode=eager,threads=1}", "a.step{mode=eager,threads=all}")) == ["1 thread", "all threads"]


def test_several_cases_say_their_names():
    assert said(rows("a.fit", "a.slow_loop"), ScenarioReport(names={"fit": "fit()"})) == ["fit()", "slow loop"]


def test_several_programs_say_theirs():
    found = rows("a.step") + rows("a.step", program="tensorflow{onednn=off}")
    assert said(found) == ["assay, step", "tensorflow, onednn off, step"]
    assert program_in_words("jax") == "jax"


def test_everything_on_is_said_beside_what_is_off():
    assert said(rows("a.step", "a.step{off=all}")) == ["all on", "all off"]
