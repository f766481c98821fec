"""Roofline: arithmetic intensity against rate, under the roofs that were measured in turns with the points."""

import math
from dataclasses import dataclass

from plots.figures.axes import axis_label, logarithmic
from plots.figures.style import INK, MARKERS, MUTED, SERIES, Drawing, finish, pyplot
from plots.format import quantity


@dataclass(frozen=True)
class Point:
    group: str  # colour and marker
    label: str
    intensity: float  # FLOP a byte
    rate: float  # FLOP/s
    whole_team: bool  # on all threads; else a hollow mark, under a lower roof
    share: float  # of the roof of its own size and threads


@dataclass(frozen=True)
class Roof:
    """A horizontal one (FLOP/s) or, where `slanted`, one that rises with the intensity (byte/s)."""

    label: str
    height: float
    slanted: bool
    strong: bool = True


def roofline(name: str, points: list[Point], roofs: list[Roof], caption: str) -> Drawing:
    figure, axes = pyplot.subplots(figsize=(5.0, 4.0))
    axes.set_xscale("log")
    axes.set_yscale("log")
    peak = max((roof.height for roof in roofs if not roof.slanted), default=max(point.rate for point in points))
    right = max([point.intensity for point in points] + [peak / roof.height for roof in roofs if roof.slanted]) * 2.5
    left, low = min(point.intensity for point in points) / 1.6, min(point.rate for point in points) / 1.8
    high = peak * 2.2
    axes.set_xlim(left, right)
    axes.set_ylim(low, high)
    for roof in roofs:
        _draw(axes, roof, peak, left, right, low)
    groups = list(dict.fromkeys(point.group for point in points))
    for index, group in enumerate(groups):
        colour, marker = SERIES[index % len(SERIES)], MARKERS[index % len(MARKERS)]
        for whole in (True, False):
            members = [point for point in points if point.group == group and point.whole_team == whole]
            axes.plot(
                [point.intensity for point in members],
                [point.rate for point in members],
                marker,
                color=colour,
                markerfacecolor=colour if whole else "none",
                markersize=4.6,
                markeredgewidth=1,
                alpha=0.85,
            )
        axes.plot([], [], marker, color=colour, markersize=4.6, label=group)
    axes.legend(loc="lower left", bbox_to_anchor=(0, 1), ncols=3, handletextpad=0.2, columnspacing=1.2, borderaxespad=0.2)
    logarithmic(axes.xaxis, left, right, "")
    axes.set_xlabel(axis_label("arithmetic intensity", "FLOP a byte"))
    axes.set_ylabel(axis_label("rate", logarithmic(axes.yaxis, low, high, "FLOP/s")))
    figure.tight_layout(pad=0.4)
    return finish(figure, name, caption, _in_words(points, roofs, groups))


def _draw(axes, roof: Roof, peak: float, left: float, right: float, low: float) -> None:
    style = {"color": INK if roof.strong else MUTED, "linewidth": 1.2 if roof.strong else 0.9, "zorder": 1}
    if not roof.slanted:
        axes.plot([left, right], [roof.height, roof.height], "-" if roof.strong else "--", **style)
        axes.annotate(
            roof.label, (left, roof.height), xytext=(3, 3), textcoords="offset points", fontsize=7.5
        )
        return
    ridge = peak / roof.height
    start = max(left, low / roof.height)
    axes.plot([start, ridge], [start * roof.height, peak], "-" if roof.strong else "--", **style)
    at = start * (ridge / start) ** (0.45 if ridge / start > 100 else 0.0)  # a short line has room at its foot alone
    axes.annotate(
        roof.label,
        (at, at * roof.height),
        xytext=(0, 3),
        textcoords="offset points",
        rotation=_angle(axes),
        rotation_mode="anchor",
        fontsize=7.5,
    )


def _angle(axes) -> float:
    """Of a line whose rate is proportional to its intensity, on the page."""
    (x0, x1), (y0, y1) = axes.get_xlim(), axes.get_ylim()
    width, height = axes.figure.get_size_inches()
    return math.degrees(math.atan2(height * 0.78 / math.log(y1 / y0), width * 0.86 / math.log(x1 / x0)))


def _in_words(points: list[Point], roofs: list[Roof], groups: list[str]) -> str:
    told = [f"{roof.label}" for roof in roofs]
    for group in groups:
        members = [point for point in points if point.group == group]
        best = max(members, key=lambda point: point.share)
        told.append(
            f"{group}: {len(members)} sizes, nearest to its roof {best.label} at {quantity(best.share, 'share')} of it, "
            f"{quantity(best.rate, 'FLOP/s')}"
        )
    return "Roofline of " + "; ".join(told)
