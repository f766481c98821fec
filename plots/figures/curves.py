"""Curves of a `series` event: one line a configuration, a pale line for each of its seeds or rounds."""

from dataclasses import dataclass
from statistics import median

from plots.figures.axes import axis_label, linear, logarithmic, set_ticks
from plots.figures.style import MARKERS, SERIES, WIDTH, Drawing, finish, pyplot
from plots.format import quantity, tick


@dataclass(frozen=True)
class Curve:
    label: str
    x: tuple[float, ...]
    runs: tuple[tuple[float | None, ...], ...]  # y of each process, as long as x

    @property
    def middle(self) -> list[float | None]:
        columns = ([y for y in column if y is not None] for column in zip(*self.runs))
        return [median(column) if column else None for column in columns]


def curves(name: str, lines: list[Curve], x: tuple[str, str], y: tuple[str, str], caption: str) -> Drawing:
    """`x` and `y` are (name, unit) of the axes. An axis that spans more than a factor of 30 is logarithmic."""
    figure, axes = pyplot.subplots(figsize=(WIDTH, 2.9 + (0.1 * len(lines) if len(lines) > 4 else 0)))
    for index, line in enumerate(lines):
        colour, marker = SERIES[index % len(SERIES)], MARKERS[index % len(MARKERS)]
        if len(line.runs) > 1:
            for run in line.runs:
                axes.plot(line.x, _gaps(run), "-", color=colour, alpha=0.25, linewidth=0.7)
        axes.plot(
            line.x,
            _gaps(line.middle),
            ("-", "--", "-.", ":")[index % 4],
            marker=marker,
            color=colour,
            linewidth=1.5,
            markersize=max(3, 6 - index),
            label=line.label,
        )
    xs = [value for line in lines for value in line.x]
    ys = [value for line in lines for run in line.runs for value in run if value is not None]
    x_unit = _axis(axes, "x", xs, x[1])
    y_unit = _axis(axes, "y", ys, y[1])
    if not x[1] and len(set(xs)) <= 12 and all(float(value).is_integer() for value in xs):
        set_ticks(axes.xaxis, sorted(set(xs)), tick)
    axes.set_xlabel(axis_label(x[0], x_unit))
    axes.set_ylabel(axis_label(y[0], y_unit))
    if 1 < len(lines) <= 4:
        axes.legend(loc="best", handlelength=2)
    elif len(lines) > 4:  # above the curves, where nothing is covered
        axes.legend(loc="lower left", bbox_to_anchor=(0, 1), ncols=2, handlelength=2, borderaxespad=0.2)
    figure.tight_layout(pad=0.4)
    kind = "Curve" if len(lines) == 1 else "Curves"
    told = "; ".join(f"{line.label} {_ends(line, x[1], y[1])}" for line in lines)
    return finish(figure, name, caption, f"{kind} of {y[0]} over {x[0]}: {told}")


def _gaps(values) -> list[float]:
    return [float("nan") if value is None else value for value in values]


def _ends(line: Curve, x_unit: str, y_unit: str) -> str:
    """Where a curve begins and ends, and its extremes in between."""
    known = [(x, y) for x, y in zip(line.x, line.middle) if y is not None]
    if not known:
        return "no value"
    start, end, low, high = (
        f"{quantity(y, y_unit)} at {quantity(x, x_unit)}"
        for x, y in (known[0], known[-1], min(known, key=lambda pair: pair[1]), max(known, key=lambda pair: pair[1]))
    )
    turns = [f"{name} {place}" for name, place in (("lowest", low), ("highest", high)) if place not in (start, end)]
    return ", ".join([f"from {start} to {end}", *turns])


def _axis(axes, which: str, values: list[float], unit: str) -> str:
    low, high = min(values), max(values)
    axis = getattr(axes, f"{which}axis")
    if low > 0 and high / low > 30:
        getattr(axes, f"set_{which}scale")("log")
        low, high = low / (high / low) ** 0.04, high * (high / low) ** 0.04
        name = logarithmic(axis, low, high, unit)
    else:
        air = (high - low) * 0.06 or abs(high) * 0.05 or 1
        if which == "y" and low >= 0 and low < 0.5 * high:
            low = 0.0  # a curve that starts low is read against zero
            high += air
        else:
            low, high = low - air, high + air
        name = linear(axis, low, high, unit)
    getattr(axes, f"set_{which}lim")(low, high)
    return name
