"""What each control is worth: every configuration as a dot with its interval, and every switch as a paired ratio."""

import re

from plots.ablations import Ablation, Control, ablations
from plots.document import Configuration, Run
from plots.figures.axes import axis_label, linear, logarithmic
from plots.figures.forest import Row
from plots.figures.grouped_forest import grouped_forest
from plots.figures.grouped_rows import GroupedRows
from plots.figures.style import MUTED, SERIES, Drawing, file_name, finish
from plots.figures.value_plots import Dot
from plots.format import effect, words


LONG = 32  # letters of a name beside which axis and numbers still have room


def short(text: str) -> str:
    """Controls without what stands before their dot: `engine.trace` is trace."""
    return re.sub(r"\b[a-z_]\w*\.(?=[a-z_])", "", text)


def ablation(
    name: str,
    dots: dict[str, list[Dot]],
    whole: float,
    metric: str,
    unit: str,
    caption: str,
    like: float,
) -> Drawing:
    """`dots` by heading; `whole`: the median with everything on, a line through all rows. Logarithmic where the largest
    is more than four times the smallest."""
    names = {dot.label: dot.label for members in dots.values() for dot in members}
    if max(map(len, names)) > LONG:
        names = {label: short(label) for label in names}
    figure_rows = GroupedRows([(title, [(names[dot.label], dot.text) for dot in members]) for title, members in dots.items()])
    axes, every = figure_rows.axes, [dot for members in dots.values() for dot in members]
    points = [point for dot in every for point in (dot.median, dot.low, dot.high, *dot.samples) if point is not None]
    low, high = min(points), max(points)
    if low > 0 and high / low > 4:
        axes.set_xscale("log")
        low, high = low / (high / low) ** 0.06, high * (high / low) ** 0.06
        name_of_unit = logarithmic(axes.xaxis, low, high, unit, like)
        metric_name = f"{metric}, logarithmic"
    else:
        air = (high - low) * 0.06 or abs(high) * 0.05 or 1
        low, high = low - air, high + air
        name_of_unit = linear(axes.xaxis, low, high, unit, like, figure_rows.max_steps)
        metric_name = metric
    axes.set_xlim(low, high)
    axes.axvline(whole, color=MUTED, linewidth=1, linestyle="--", zorder=1)
    for dot, y in zip(every, figure_rows.places):
        spots = [y] * len(dot.samples)
        axes.plot(dot.samples, spots, "o", color=SERIES[0], alpha=0.25, markersize=3, markeredgewidth=0)
        if dot.low is not None and dot.high is not None:
            axes.plot([dot.low, dot.high], [y, y], color=SERIES[0], linewidth=2, solid_capstyle="butt")
            axes.plot([dot.low, dot.high], [y, y], "|", color=SERIES[0], markersize=6, markeredgewidth=1.4)
        axes.plot([dot.median], [y], "o", color=SERIES[0], markersize=4.5)
    axes.set_xlabel(axis_label(metric_name, name_of_unit))
    alt = f"Points with intervals, {metric}: " + "; ".join(f"{names[dot.label]} {dot.text}" for dot in every)
    return finish(figure_rows.figure, name, f"{caption} The dashed line is everything on.", alt)


def worths(run: Run, scenario: str) -> list[Drawing]:
    """Of each ablation the ratios: everything off, each alone off, each alone on."""
    return [drawing for one in ablations(run, scenario) if (drawing := _worth(run, one))]


def _worth(run: Run, one: Ablation) -> Drawing | None:
    groups = {
        "off / everything on": [_row("everything", one.everything)]
        + [_row(short(control.name), control.off) for control in one.controls.values()],
        "alone on / what it needs alone": [
            _row(_with_needs(control), control.on) for control in one.controls.values()
        ],
    }
    program = f"-{one.program}" if len(run.program_names) > 1 else ""
    return grouped_forest(
        file_name(f"{one.configuration}-{one.metric}-worth{program}"),
        {title: [row for row in rows if row] for title, rows in groups.items()},
        "ratio",
        f"ratio of {words(one.metric)}, logarithmic",
        "",
        f"{Configuration(one.configuration).short}, {words(one.metric)}: what each control is worth, paired in rounds. "
        "Where lower is better, a control helps that is right of the line when it is off, and left of it when it is on.",
    )


def _with_needs(control: Control) -> str:
    return short(control.name + (f" (with {', '.join(control.needs)})" if control.needs else ""))


def _row(label: str, comparison: dict | None) -> Row | None:
    if comparison is None or comparison["estimate"] is None:
        return None
    shown = effect(*(comparison[key] for key in ("estimate", "low", "high", "form", "unit", "metric")))
    return Row(label, shown, comparison["estimate"], comparison["low"], comparison["high"])
