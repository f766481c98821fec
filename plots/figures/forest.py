"""Forest plot: effects with their intervals, one row each, on one axis of ratios or differences."""

import math
from dataclasses import dataclass

from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from plots.figures.axes import axis_label, linear, log_ratio
from plots.format import number
from plots.figures.style import BAND, INK, MUTED, SERIES, WIDTH, Drawing, finish, pyplot


@dataclass(frozen=True)
class Row:
    label: str
    text: str  # the numbers, as the table prints them
    estimate: float
    low: float | None = None
    high: float | None = None
    samples: tuple[float, ...] = ()
    published: float | None = None
    bands: tuple[tuple[float, float], ...] = ()  # where the advice holds; open ends are infinite


def forest(name: str, rows: list[Row], form: str, axis_name: str, unit: str, caption: str) -> Drawing | None:
    """`form` is `ratio` (logarithmic axis, neutral at 1) or `difference` (linear, neutral at 0)."""
    rows = [row for row in rows if form != "ratio" or row.estimate > 0]
    if not rows:
        return None
    height = 0.75 + 0.5 * len(rows)
    figure, axes = pyplot.subplots(figsize=(WIDTH, height + 0.3))
    low, high = limits(rows, form)
    if form == "ratio":
        log_ratio(axes, low, high)
    else:
        axes.set_xlim(low, high)
        unit = linear(axes.xaxis, low, high, unit)
    for index, row in enumerate(rows):
        draw_row(axes, row, -index, low, high)
        axes.plot([1 if form == "ratio" else 0] * 2, [-index - 0.4, -index + 0.05], color=MUTED, linewidth=1, zorder=1)
    axes.set_ylim(-len(rows) + 0.45, 0.62)
    axes.set_yticks([])
    axes.grid(axis="y", visible=False)
    axes.spines["left"].set_visible(False)
    axes.set_xlabel(axis_label(axis_name, unit))
    figure.legend(
        handles=legend(rows), loc="lower center", ncols=4, handletextpad=0.4, columnspacing=1.2, borderaxespad=0.1
    )
    figure.subplots_adjust(left=0.03, right=0.97, top=1 - 0.05 / (height + 0.3), bottom=0.68 / (height + 0.3))
    alt = f"Points with intervals, {axis_name}: " + "; ".join(_in_words(row, form) for row in rows)
    return finish(figure, name, caption, alt)


def _in_words(row: Row, form: str) -> str:
    published = "" if row.published is None else f", published {number(row.published)}{'×' if form == 'ratio' else ''}"
    return f"{row.label} {row.text}{published}"


def limits(rows: list[Row], form: str) -> tuple[float, float]:
    """Everything that is drawn, the neutral value and the finite bounds fit, with some air."""
    points = [1.0 if form == "ratio" else 0.0]
    for row in rows:
        points += [row.estimate, *row.samples]
        points += [point for point in (row.low, row.high, row.published) if point is not None]
        points += [end for band in row.bands for end in band if math.isfinite(end)]
    if form == "ratio":
        points = [point for point in points if point > 0]
        air = max((max(points) / min(points)) ** 0.06, 1.02)
        return min(points) / air, max(points) * air
    air = max((max(points) - min(points)) * 0.06, 1e-9)
    return min(points) - air, max(points) + air


def draw_row(axes, row: Row, y: float, low: float, high: float) -> None:
    """The words above, the marks below them."""
    marks(axes, row, y - 0.18, low, high, 0.2)
    axes.plot(
        row.samples, [y - 0.31] * len(row.samples), "o", color=SERIES[0], alpha=0.4, markersize=3.2, markeredgewidth=0
    )
    words(axes, y + 0.2, row.label, row.text)


def marks(axes, row: Row, y: float, low: float, high: float, half: float) -> None:
    """Band, interval with its ends, estimate and published figure of one row; `half` the height of the band."""
    for start, end in row.bands:
        start, end = max(start, low), min(end, high)
        if end > start:
            axes.fill_between([start, end], y - half, y + half, color=BAND, linewidth=0, zorder=0.5)
    if row.low is not None and row.high is not None:
        axes.plot([row.low, row.high], [y, y], color=SERIES[0], linewidth=2, solid_capstyle="butt")
        axes.plot([row.low, row.high], [y, y], "|", color=SERIES[0], markersize=6, markeredgewidth=1.4)
    axes.plot([row.estimate], [y], "o", color=SERIES[0], markersize=4.5)
    if row.published is not None:
        axes.plot(
            [row.published],
            [y],
            "D",
            markerfacecolor="none",
            markeredgecolor=SERIES[1],
            markersize=5.5,
            markeredgewidth=1.3,
        )


def words(axes, y: float, left: str, right: str) -> None:
    """A row's name and its numbers on one line, smaller where they would meet."""
    size = min(8.5, 8.5 * 58 / max(len(left) + len(right), 1))
    axes.text(0, y, left, transform=axes.get_yaxis_transform(), va="center", color=INK, fontsize=size)
    axes.text(1, y, right, transform=axes.get_yaxis_transform(), va="center", ha="right", color=INK, fontsize=size)


def legend(rows: list[Row]) -> list:
    handles = [Line2D([], [], color=SERIES[0], marker="o", markersize=5, linewidth=2.2, label="measured, interval")]
    if any(row.samples for row in rows):
        handles.append(
            Line2D([], [], color=SERIES[0], marker="o", markersize=3, alpha=0.4, linewidth=0, label="each sample")
        )
    if any(row.published is not None for row in rows):
        handles.append(
            Line2D(
                [],
                [],
                color=SERIES[1],
                marker="D",
                markerfacecolor="none",
                markersize=5.5,
                linewidth=0,
                label="published",
            )
        )
    if any(row.bands for row in rows):
        handles.append(Patch(color=BAND, label="advice holds"))
    return handles
