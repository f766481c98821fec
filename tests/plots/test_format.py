"""Numbers as people read them."""

import pytest

from plots import format as fmt


@pytest.mark.parametrize(
    "value, text",
    [
        (0, "0"),
        (12, "12"),
        (-7, "−7"),
        (1234567, "1,234,567"),
        (8000.0, "8,000"),
        (2.345678, "2.35"),
        (2.3, "2.3"),
        (0.00031, "0.00031"),
        (5e-9, "5e-9"),
        (-2.14e-7, "−2.14e-7"),
        (1.5e12, "1.5e12"),
        (999.9, "1,000"),
        (12345.6, "12,346"),
        (None, "–"),
    ],
)
def test_number_has_three_digits_and_no_noise(value, text):
    assert fmt.number(value) == text


@pytest.mark.parametrize(
    "value, unit, text",
    [
        (1850.0, "ns", "1.85 µs"),
        (999.96, "ns", "1 µs"),
        (2_300_000, "ns", "2.3 ms"),
        (1.5e9, "ns", "1.5 s"),
        (120, "ns", "120 ns"),
        (0.4, "ns", "0.4 ns"),
        (0.002, "s", "2 ms"),
        (4096, "byte", "4 KiB"),
        (4096, "bytes", "4 KiB"),
        (67108864, "byte", "64 MiB"),
        (2.14e10, "byte/s", "21.4 GB/s"),
        (2.21e11, "flop/s", "221 GFLOP/s"),
        (1.3e12, "flop/s", "1.3 TFLOP/s"),
        (0.93735, "", "0.9374"),
        (6.1834e-5, "", "6.18e-5"),
        (7, "widgets", "7 widgets"),
        (None, "ns", "–"),
    ],
)
def test_quantity_takes_the_unit_that_fits(value, unit, text):
    assert fmt.quantity(value, unit) == text


def test_shares_are_percent():
    assert fmt.quantity(0.812, "", "share_of_peak") == "81.2 %"
    assert fmt.quantity(0.812, "", "accuracy") == "0.812"


@pytest.mark.parametrize(
    "parts, unit, text",
    [
        ((726781.0, 694666.0, 742144.0), "ns", "727 [695, 742] µs"),
        ((1.1571, 1.1243, 1.1719), "", "1.157 [1.124, 1.172]"),
        ((-0.002, -0.0075, 0.0011), "", "−0.00200 [−0.00750, 0.00110]"),
        ((0.00031, 0.00031, 0.00031), "", "0.00031"),
        ((5.0, None, None), "ns", "5 ns"),
        ((0.4906, 0.03827, 27.13), "", "0.491 [0.0383, 27.1]"),  # never a bound of 0.0
        ((0.1493, 0.00708, 2.0), "", "0.149 [0.00708, 2.00]"),
        ((-0.1493, -2.0, -0.00708), "", "−0.149 [−2.00, −0.00708]"),
        ((0.0175, -0.0002, 0.045), "", "0.0175 [−0.0002, 0.0450]"),  # near zero: how near is noise
        ((0.0, -1e3, 1e3), "ns", "0.00 [−1.00, 1.00] µs"),
        ((None, None, None), "ns", "–"),
    ],
)
def test_interval_has_one_unit_and_equal_decimals(parts, unit, text):
    assert fmt.interval(*parts, unit) == text


def test_interval_takes_the_unit_of_its_neighbours():
    assert fmt.interval(958_423, 910_927, 1_005_190, "ns", like=1.1e6) == "0.958 [0.911, 1.005] ms"


def test_effect_shows_its_form():
    assert fmt.effect(5.628, 5.105, 5.739, "ratio") == "5.63× [5.11, 5.74]"
    assert fmt.effect(0.002, 0.001, 0.003, "difference") == "+0.00200 [0.00100, 0.00300]"
    assert fmt.effect(None, None, None, "ratio") == "–"


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
