"""The same work in several programs: under each configuration one bar a program, with its interval, and where it was
measured the cost of a call that does nothing."""

from dataclasses import dataclass

from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from plots.figures.axes import axis_label, linear
from plots.figures.grouped_rows import LINE, GroupedRows
from plots.figures.style import INK, MUTED, SERIES, Drawing, finish

CALL_OVERHEAD = "call_overhead"  # the metric: the time of a call that does nothing


@dataclass(frozen=True)
class Bar:
    program: str
    text: str
    median: float
    low: float | None
    high: float | None
    call_overhead: float | None = None  # part of the median


def peers(name: str, groups: dict[str, list[Bar]], metric: str, unit: str, caption: str, like: float) -> Drawing:
    """`groups`: configuration -> its programs, in one order throughout. Bars from zero for what has a unit; points for
    what has none, such as an accuracy, where zero is far from everything."""
    bars = [bar for members in groups.values() for bar in members]
    overheads = any(bar.call_overhead is not None for bar in bars)
    figure_rows = GroupedRows(
        [(title, [(bar.program, bar.text) for bar in members]) for title, members in groups.items()],
        below=0.7 if overheads else 0.45,
    )
    axes = figure_rows.axes
    points = [point for bar in bars for point in (bar.median, bar.low, bar.high) if point is not None]
    air = (max(points) - min(points)) * 0.06 or abs(max(points)) * 0.05 or 1
    left, right = (0, max(points) * 1.05 or 1) if unit else (min(points) - air, max(points) + air)
    axes.set_xlim(left, right)
    for bar, y in zip(bars, figure_rows.places):
        if unit:
            axes.barh([y], [bar.median], height=LINE * 0.7, color=SERIES[5], linewidth=0)
        else:
            axes.plot([bar.median], [y], "o", color=SERIES[0], markersize=4.5)
        if bar.call_overhead is not None:
            axes.barh([y], [min(bar.call_overhead, bar.median)], height=LINE * 0.7, color=MUTED, linewidth=0)
        if bar.low is not None and bar.high is not None:
            axes.plot([bar.low, bar.high], [y, y], color=INK, linewidth=1.1, solid_capstyle="butt")
            axes.plot([bar.low, bar.high], [y, y], "|", color=INK, markersize=5, markeredgewidth=1.1)
    axes.set_xlabel(axis_label(metric, linear(axes.xaxis, left, right, unit, like, figure_rows.max_steps)))
    if overheads:
        handles = [
            Patch(color=MUTED, label="a call that does nothing"),
            Patch(color=SERIES[5], label="the rest"),
            Line2D([], [], color=INK, marker="|", linewidth=1.1, label="interval"),
        ]
        figure_rows.figure.legend(handles=handles, loc="lower center", ncols=3, columnspacing=1.2, borderaxespad=0.1)
    alt = f"{'Bars' if unit else 'Points with intervals'}, {metric}: " + "; ".join(
        f"{title}: " + ", ".join(f"{bar.program} {bar.text}" for bar in members) for title, members in groups.items()
    )
    return finish(figure_rows.figure, name, caption, alt)
