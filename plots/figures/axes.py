"""Axes in human units: ticks at round numbers, labelled as people read them."""

import math

from matplotlib.ticker import FixedLocator, FuncFormatter, MaxNLocator, NullLocator

from plots.format import SCALES, scale, tick


def nice_ticks(low: float, high: float, max_ticks: int = 7) -> list[float]:
    """Round numbers of a logarithmic axis: 1-2-5 where they fit, else powers of ten, else some of those."""
    first, last = math.floor(math.log10(low)), math.ceil(math.log10(high))
    for steps in ((1, 1.2, 1.5, 2, 3, 4, 5, 6, 7, 8, 9), (1, 2, 5), (1, 3), (1,)):
        ticks = [float(f"{step * 10.0**power:.6g}") for power in range(first, last + 1) for step in steps]
        ticks = [place for place in ticks if low <= place <= high]
        if 2 <= len(ticks) <= max_ticks:
            return ticks
    if len(ticks) < 2:
        return _linear_ticks(low, high)
    return ticks[:: math.ceil(len(ticks) / max_ticks)]


def _linear_ticks(low: float, high: float) -> list[float]:
    return [place for place in MaxNLocator(5, steps=[1, 2, 2.5, 5, 10]).tick_values(low, high) if low <= place <= high]


def set_ticks(axis, ticks: list[float], label) -> None:
    axis.set_major_locator(FixedLocator(ticks))
    axis.set_minor_locator(NullLocator())
    axis.set_major_formatter(FuncFormatter(lambda value, _: label(value)))


def log_ratio(axes, low: float, high: float, max_ticks: int = 7) -> None:
    """A horizontal logarithmic axis of ratios. Near 1 its ticks are evenly spaced numbers."""
    axes.set_xscale("log")
    axes.set_xlim(low, high)
    ticks = nice_ticks(low, high, max_ticks) if high / low > 3 else _linear_ticks(low, high)
    set_ticks(axes.xaxis, ticks, lambda value: f"{tick(value)}×")


def linear(axis, low: float, high: float, unit: str, like: float | None = None, max_ticks: int = 5) -> str:
    """Ticks of a linear axis in the unit that fits `like`, or its largest value; returns that unit's name."""
    factor, name = scale(like or max(abs(low), abs(high)), unit)
    ticks = MaxNLocator(max_ticks, steps=[1, 2, 2.5, 5, 10]).tick_values(low / factor, high / factor)
    set_ticks(
        axis, [place * factor for place in ticks if low <= place * factor <= high], lambda value: tick(value / factor)
    )
    return name


def logarithmic(axis, low: float, high: float, unit: str, like: float | None = None) -> str:
    """Ticks of a logarithmic axis in the unit that fits `like`, or its middle. Bytes stand at powers of two; these, and
    what spans more than a factor of a thousand, have the unit at each tick."""
    if unit in ("byte", "bytes", "B"):
        first, last = math.ceil(math.log2(low) - 1e-9), math.floor(math.log2(high) + 1e-9)
        step = max(1, math.ceil((last - first) / 6))
        ticks = [2.0**power for power in range(first, last + 1, step)]

        set_ticks(axis, ticks, lambda value: _with_unit(value, "byte"))
        return ""
    if high / low > 1000 and unit in SCALES:
        set_ticks(axis, nice_ticks(low, high, 6), lambda value: _with_unit(value, unit))
        return ""
    factor, name = scale(like or math.sqrt(low * high), unit)
    set_ticks(
        axis, [place * factor for place in nice_ticks(low / factor, high / factor)], lambda value: tick(value / factor)
    )
    return name


def _with_unit(value: float, unit: str) -> str:
    factor, name = scale(value, unit)
    return f"{tick(value / factor)} {name}"


def axis_label(name: str, unit: str) -> str:
    return f"{name} ({unit})" if unit else name
