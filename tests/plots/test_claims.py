"""Counts and bounds of the claims."""

import math

from plots import claims


def claim(advice: str, program: str = "assay") -> dict:
    return {"id": "a.b", "section": 1, "verdicts": [{"program": program, "advice": advice}]}


def test_headline_counts_every_verdict():
    given = [
        claim("holds"),
        claim("fails"),
        claim("fails"),
        claim("undecided"),
        claim("not testable here"),
        claim("not tested yet"),
    ]
    assert claims.headline(given, "assay") == (
        "Of 6 pieces of advice, 1 holds here, 2 fail, 1 is undecided, 1 cannot be tested here "
        "and 1 is not tested yet."
    )


def test_a_program_without_verdict_has_not_tested():
    assert (
        claims.headline([claim("holds")], "other")
        == "Of 1 piece of advice, 0 hold here, 0 fail and 1 is not tested yet."
    )


def test_an_advice_with_a_verdict_for_each_format_counts_once():
    def of(float16: str, bfloat16: str) -> str:
        both = [{"program": "assay", "format": "float16", "advice": float16}]
        both.append({"program": "assay", "format": "bfloat16", "advice": bfloat16})
        return claims.advice_of({"id": "a.b", "verdicts": both}, "assay")

    assert of("fails", "fails") == "fails"
    assert of("fails", "holds") == "depends on the format"
    assert of("not testable here", "holds") == "holds"
    assert of("not testable here", "not testable here") == "not testable here"


def test_bands_of_every_kind_of_bound():
    assert claims.bands({"ratio_at_most": 1.1}) == [(-math.inf, 1.1)]
    assert claims.bands({"value_at_least": 2}) == [(2, math.inf)]
    assert claims.bands({"ratio_between": [0.9, 1.1]}) == [(0.9, 1.1)]
    assert claims.bands({"difference_at_least": 0.005, "absolute": True}) == [(-math.inf, -0.005), (0.005, math.inf)]
    assert claims.bands({"difference_at_most": 0.005, "absolute": True}) == [(-0.005, 0.005)]
    assert claims.bands(None) == []


def test_form_is_that_of_the_bounds_else_of_the_figure():
    assert (
        claims.form_of({"holds": {"absolute": True, "difference_at_least": 1}, "published": {"ratio": 2, "text": ""}})
        == "difference"
    )
    assert claims.form_of({"holds": None, "published": {"ratio": 2, "text": ""}}) == "ratio"
    assert claims.form_of({"holds": None, "published": {"text": ""}}) == "value"


def test_bounds_in_words():
    assert claims.bounds_text({"ratio_between": [1, 1]}) == "ratio exactly 1"
    assert claims.bounds_text({"ratio_between": [0.9, 1.1]}) == "ratio between 0.9 and 1.1"
    assert (
        claims.bounds_text({"difference_at_least": 0.005, "absolute": True}) == "size of the difference at least 0.005"
    )
