"""What each control is worth: a dot with its interval a row, against everything on."""

from plots.figures.axes import axis_label, linear
from plots.figures.ledger import Ledger
from plots.figures.style import MUTED, SERIES, Drawing, finish
from plots.figures.values import Dot


def ablation(name: str, dots: list[Dot], whole: float, metric: str, unit: str, caption: str, like: float) -> Drawing:
    """`whole`: the median with everything on, a line through all rows."""
    ledger = Ledger([("", [(dot.label, dot.text) for dot in dots])])
    axes = ledger.axes
    points = [point for dot in dots for point in (dot.median, dot.low, dot.high, *dot.samples) if point is not None]
    air = (max(points) - min(points)) * 0.06 or abs(max(points)) * 0.05 or 1
    low, high = min(points) - air, max(points) + air
    axes.set_xlim(low, high)
    axes.axvline(whole, color=MUTED, linewidth=1, linestyle="--", zorder=1)
    for dot, y in zip(dots, ledger.places):
        spots = [y] * len(dot.samples)
        axes.plot(dot.samples, spots, "o", color=SERIES[0], alpha=0.25, markersize=3, markeredgewidth=0)
        if dot.low is not None and dot.high is not None:
            axes.plot([dot.low, dot.high], [y, y], color=SERIES[0], linewidth=2, solid_capstyle="butt")
            axes.plot([dot.low, dot.high], [y, y], "|", color=SERIES[0], markersize=6, markeredgewidth=1.4)
        axes.plot([dot.median], [y], "o", color=SERIES[0], markersize=4.5)
    axes.set_xlabel(axis_label(metric, linear(axes.xaxis, low, high, unit, like, ledger.most_steps)))
    alt = f"Points with intervals, {metric}: " + "; ".join(f"{dot.label} {dot.text}" for dot in dots)
    return finish(ledger.figure, name, f"{caption} The dashed line is everything on.", alt)
