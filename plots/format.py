"""Numbers as people read them: few digits, the unit that fits, intervals as exact as their width deserves.

harness/text/format_number.cpp writes the same texts in ASCII; tests/number_texts.json holds for both."""

import math
import re
from collections import Counter
from statistics import median

# unit of the document -> steps of (factor, name), smallest first
_DECIMAL = ("", "k", "M", "G", "T", "P")
SCALES: dict[str, list[tuple[float, str]]] = {
    "ns": [(1, "ns"), (1e3, "µs"), (1e6, "ms"), (1e9, "s")],
    "s": [(1e-9, "ns"), (1e-6, "µs"), (1e-3, "ms"), (1, "s")],
    "byte": [(1, "B"), (2**10, "KiB"), (2**20, "MiB"), (2**30, "GiB"), (2**40, "TiB")],
    "byte/s": [(10.0 ** (3 * i), f"{prefix}B/s") for i, prefix in enumerate(_DECIMAL)],
    "flop/s": [(10.0 ** (3 * i), f"{prefix}FLOP/s") for i, prefix in enumerate(_DECIMAL)],
    "FLOP": [(10.0 ** (3 * i), f"{prefix}FLOP") for i, prefix in enumerate(_DECIMAL)],
}
ALIASES = {"bytes": "byte", "B": "byte", "B/s": "byte/s", "bytes/s": "byte/s", "FLOP/s": "flop/s", "flops": "flop/s"}
SHARES = ("share", "accuracy_share")
NONE = "–"


def number(value: float | None, digits: int = 3) -> str:
    """`digits` significant ones, no trailing noise: 1234567 is 1,234,567; 0.00031 stays; 5e-09 is 5e-9."""
    if value is None:
        return NONE
    if value == 0:
        return "0"
    value = float(f"{value:.{max(digits, 1 + math.floor(math.log10(abs(value))))}g}")  # 999.96 is 1,000 from here on
    if float(value).is_integer() and abs(value) < 1e7:
        return f"{int(value):,}".replace("-", "−")
    magnitude = math.floor(math.log10(abs(value)))
    if magnitude < -4 or magnitude >= 7:
        mantissa, exponent = f"{value:.{digits - 1}e}".split("e")
        if "." in mantissa:
            mantissa = mantissa.rstrip("0").rstrip(".")
        return mantissa.replace("-", "−") + f"e{int(exponent)}"
    places = max(0, digits - 1 - magnitude)
    while places and math.isclose(round(value, places - 1), value, rel_tol=1e-12):
        places -= 1  # 2.30 that is exactly 2.3
    return decimals(value, places)


def significant(value: float, digits: int = 3) -> str:
    """Like number(), but 2 is 2.00 where its neighbours show three digits."""
    if not value or not 1e-4 <= abs(value) < 1e7:
        return number(value, digits)
    value = float(f"{value:.{digits - 1}e}")
    return decimals(value, max(0, digits - 1 - math.floor(math.log10(abs(value)))))


def decimals(value: float, places: int) -> str:
    text = f"{value:,.{places}f}"
    if not text.strip("-0.,"):
        text = text.lstrip("-")  # no negative zero
    return text.replace("-", "−")


def scale(value: float | None, unit: str) -> tuple[float, str]:
    """The factor and the name of the unit in which `value` has between one and three digits before the point."""
    steps = SCALES.get(ALIASES.get(unit, unit))
    if not steps:
        return 1, unit
    factor, name = steps[0]
    for next_factor, next_name in steps:
        if value is not None and abs(value) >= next_factor * 0.9995:
            factor, name = next_factor, next_name
    return factor, name


def is_share(metric: str, unit: str) -> bool:
    return unit == "share" or (unit == "" and "share" in metric.split("_"))


def quantity(value: float | None, unit: str = "", metric: str = "") -> str:
    if value is None:
        return NONE
    if is_share(metric, unit):
        return f"{number(value * 100)} %"
    factor, name = scale(value, unit)
    digits = 4 if not name and 0.1 <= abs(value) < 1 else 3  # an accuracy of 2,000 rows has four
    return f"{number(value / factor, digits)} {name}".strip()


def _places(values: list[float]) -> int:
    """Decimals so that the width of an interval shows two digits, and a value at least three."""
    largest = max(abs(value) for value in values) or 1
    places = 2 - math.floor(math.log10(largest))
    width = max(values) - min(values)
    if width > 0:
        places = max(places, 1 - math.floor(math.log10(width)))
    return max(0, min(places, 4 - math.floor(math.log10(largest))))


def interval(
    value: float | None,
    low: float | None,
    high: float | None,
    unit: str = "",
    metric: str = "",
    like: float | None = None,
) -> str:
    """`1.16 [1.12, 1.17]`, one unit and one count of decimals for all three; without an interval the value alone.
    The unit is the one that fits `like`, where a figure wants the same one for several."""
    if value is None:
        return NONE
    if low is None or high is None or low == high:
        return quantity(value, unit, metric)
    if is_share(metric, unit):
        factor, name = 0.01, "%"
    else:
        factor, name = scale(like or value or max(abs(low), abs(high)), unit)
    first, second, third = together([part / factor for part in (value, low, high)])
    return f"{first} [{second}, {third}] {name}".strip()


def together(values: list[float]) -> list[str]:
    """Numbers that are read against each other: equal decimals, unless these would leave one of them with less than
    two significant digits. Where signs differ the small one is near zero, and need not say how near. What is far below
    the largest is rounding noise, and 0."""
    values = [value if abs(value) >= 1e-12 * max(map(abs, values)) else 0.0 for value in values]
    sizes = [abs(value) for value in values if value]
    if not sizes or max(sizes) < 1e-4 or max(sizes) >= 1e7:
        return [number(value) for value in values]
    places = _places(values)
    one_sign = min(values) >= 0 or max(values) <= 0
    if one_sign and min(sizes) < 10.0 ** (1 - places):
        return [significant(value) for value in values]
    return [decimals(value, places) for value in values]


def ratio(value: float | None, low: float | None = None, high: float | None = None) -> str:
    """`1.16× [1.12, 1.17]`."""
    if value is None:
        return NONE
    text = interval(value, low, high)
    head, bracket, rest = text.partition(" [")
    return f"{head}×{bracket}{rest}"


def effect(
    value: float | None, low: float | None, high: float | None, form: str, unit: str = "", metric: str = ""
) -> str:
    """A comparison's estimate: a ratio, or a difference with its sign."""
    if form == "ratio":
        return ratio(value, low, high)
    text = interval(value, low, high, unit, metric)
    shown_above_zero = value is not None and value > 0 and re.search("[1-9]", text.partition(" [")[0])
    return f"+{text}" if shown_above_zero else text


def tick(value: float) -> str:
    """A round number of an axis, no digit more than it needs."""
    value = round(value, 12)
    if value and not 1e-4 <= abs(value) < 1e7:
        return number(value)
    text = f"{value:,.10f}".rstrip("0").rstrip(".")
    return "0" if text in ("-0", "") else text.replace("-", "−")


def signed(value: float, digits: int = 3) -> str:
    """`+0.5`, `−3`."""
    return f"+{number(value, digits)}" if value > 0 else number(value, digits)


def percent(share: float | None, digits: int = 3) -> str:
    return NONE if share is None else f"{number(share * 100, digits)} %"


def spread(samples: list[float]) -> float | None:
    """Largest minus smallest over the median; None where that says nothing."""
    middle = median(samples) if len(samples) > 1 else 0
    return (max(samples) - min(samples)) / abs(middle) if middle else None


def count(n: int, one: str, many: str | None = None) -> str:
    return f"{n:,} {one if n == 1 else many or one + 's'}"


def words(name: str) -> str:
    """A name of the document as words: `flops_per_second` -> `flops per second`."""
    return name.replace("_", " ")


def path_in_words(name: str) -> str:
    """A dotted name of nested things: `build.libraries` -> `build: libraries`."""
    return words(name).replace(".", ": ")


def is_number(value) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def plain_words(value) -> str:
    """A JSON value as a reader would write it: an object as "key: value; …", a list with commas and equal entries
    counted, nothing for nothing."""
    if isinstance(value, dict):
        parts = (
            (words(key), quantity(part, "byte") if key.endswith("bytes") and is_number(part) else plain_words(part))
            for key, part in value.items()
        )
        return "; ".join(f"{key}: {part}" for key, part in parts if part)
    if isinstance(value, list):
        counted = Counter(plain_words(part) for part in value)
        return ", ".join(part if n == 1 else f"{n} × {part}" for part, n in counted.items())
    if isinstance(value, bool):
        return "yes" if value else "no"
    if value is None:
        return ""
    return number(value) if isinstance(value, float) else str(value)
