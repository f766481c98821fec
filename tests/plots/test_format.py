"""Numbers as people read them."""

import json
from pathlib import Path

import pytest

from plots import format as fmt

# The texts that the terminal's formatter is tested with, too.
TEXTS = json.loads((Path(__file__).resolve().parents[1] / "number_texts.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("value, digits, text", TEXTS["number"])
def test_number(value, digits, text):
    assert fmt.number(value, digits) == text


@pytest.mark.parametrize("value, places, text", TEXTS["decimals"])
def test_decimals(value, places, text):
    assert fmt.decimals(value, places) == text


@pytest.mark.parametrize("value, digits, text", TEXTS["percent"])
def test_percent(value, digits, text):
    assert fmt.percent(value, digits) == text


@pytest.mark.parametrize("value, unit, metric, text", TEXTS["quantity"])
def test_quantity_takes_the_unit_that_fits_once_it_is_rounded(value, unit, metric, text):
    assert fmt.quantity(value, unit, metric) == text


@pytest.mark.parametrize("value, low, high, unit, metric, text", TEXTS["interval"])
def test_interval_has_one_unit_and_equal_decimals(value, low, high, unit, metric, text):
    assert fmt.interval(value, low, high, unit, metric) == text


@pytest.mark.parametrize("value, low, high, form, unit, metric, text", TEXTS["effect"])
def test_effect_shows_its_form(value, low, high, form, unit, metric, text):
    assert fmt.effect(value, low, high, form, unit, metric) == text


def test_no_value_is_a_dash():
    assert fmt.number(None) == fmt.quantity(None, "ns") == fmt.percent(None) == "–"


def test_interval_takes_the_unit_of_its_neighbours():
    assert fmt.interval(958_423, 910_927, 1_005_190, "ns", like=1.1e6) == "0.958 [0.911, 1.005] ms"


def test_tick_is_exact():
    assert [fmt.tick(value) for value in (0.9375, 0.1, 1000.0, 0.0, -0.002, 0.30000000000000004)] == [
        "0.9375",
        "0.1",
        "1,000",
        "0",
        "−0.002",
        "0.3",
    ]


def test_spread():
    assert fmt.spread([90.0, 100.0, 110.0]) == pytest.approx(0.2)
    assert fmt.spread([1.0]) is None
    assert fmt.spread([-1.0, 0.0, 1.0]) is None


def test_plain_words():
    assert fmt.plain_words({"kernel": "eigen:add", "fallbacks": [], "threads": 2, "fused": True, "reason": None}) == (
        "kernel: eigen:add; threads: 2; fused: yes"
    )
    assert fmt.plain_words(["a", "b"]) == "a, b"
    assert fmt.plain_words(["a", "b", "a"]) == "2 × a, b"
    assert fmt.plain_words({"arena_bytes": 268435456}) == "arena bytes: 256 MiB"
    assert fmt.plain_words("as it is") == "as it is"
