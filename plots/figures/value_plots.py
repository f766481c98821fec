"""Values by configuration: as rows of dots with intervals, as a curve over a numeric parameter, or as bars."""

from dataclasses import dataclass

from plots.figures.axes import axis_label, linear, logarithmic
from plots.figures.forest import words
from plots.figures.style import INK, MARKERS, MUTED, SERIES, WIDTH, Drawing, finish, pyplot
from plots.format import number, quantity, scale


@dataclass(frozen=True)
class Dot:
    label: str
    text: str
    median: float
    low: float | None = None
    high: float | None = None
    samples: tuple[float, ...] = ()
    x: float | None = None  # the numeric parameter, where there is one
    line: str = ""  # what a curve is of, where there are several


def _range(dots: list[Dot]) -> tuple[float, float]:
    points = [point for dot in dots for point in (dot.median, dot.low, dot.high, *dot.samples) if point is not None]
    return min(points), max(points)


def rows(name: str, dots: list[Dot], metric: str, unit: str, caption: str, like: float | None = None) -> Drawing:
    """One row a configuration. Logarithmic where the largest is more than four times the smallest."""
    low, high = _range(dots)
    height = 0.55 + 0.46 * len(dots)
    figure, axes = pyplot.subplots(figsize=(WIDTH, height))
    logarithmically = low > 0 and high / low > 4
    if logarithmically:
        axes.set_xscale("log")
        low, high = low / (high / low) ** 0.06, high * (high / low) ** 0.06
        name_of_unit = logarithmic(axes.xaxis, low, high, unit, like)
    else:
        air = (high - low) * 0.08 or abs(high) * 0.05 or 1
        low, high = low - air, high + air
        name_of_unit = linear(axes.xaxis, low, high, unit, like)
    axes.set_xlim(low, high)
    for index, dot in enumerate(dots):
        marks = -index - 0.14
        axes.plot(
            dot.samples,
            [marks - 0.15] * len(dot.samples),
            "o",
            color=SERIES[0],
            alpha=0.4,
            markersize=3.2,
            markeredgewidth=0,
        )
        if dot.low is not None and dot.high is not None:
            axes.plot([dot.low, dot.high], [marks, marks], color=SERIES[0], linewidth=2, solid_capstyle="butt")
            axes.plot([dot.low, dot.high], [marks, marks], "|", color=SERIES[0], markersize=6, markeredgewidth=1.4)
        axes.plot([dot.median], [marks], "o", color=SERIES[0], markersize=5)
        words(axes, -index + 0.2, dot.label, dot.text)
    axes.set_ylim(-len(dots) + 0.45, 0.6)
    axes.set_yticks([])
    axes.grid(axis="y", visible=False)
    axes.spines["left"].set_visible(False)
    axes.set_xlabel(axis_label(metric + (", logarithmic" if logarithmically else ""), name_of_unit))
    figure.subplots_adjust(left=0.03, right=0.97, top=1 - 0.04 / height, bottom=0.45 / height)
    told = "; ".join(f"{dot.label} {dot.text}" for dot in dots)
    return finish(figure, name, caption, f"Points with intervals, {metric}: {told}")


def sweep(name: str, dots: list[Dot], parameter: str, metric: str, unit: str, caption: str) -> Drawing:
    """A curve over a numeric parameter; powers of two are evenly spaced."""
    dots = sorted(dots, key=lambda dot: dot.x)
    low, high = _range(dots)
    like = (low * high) ** 0.5 if low > 0 else high
    name_of_unit = scale(like, unit)[1]
    figure, axes = pyplot.subplots(figsize=(WIDTH, 2.8 if len({dot.line for dot in dots}) == 1 else 3.4))
    if dots[0].x > 0 and dots[-1].x / dots[0].x >= 8:
        axes.set_xscale("log", base=2)
    if low > 0 and high / low > 4:
        axes.set_yscale("log")
        low, high = low / 1.25, high * 1.25
        name_of_unit = logarithmic(axes.yaxis, low, high, unit, like)
    else:
        low, high = min(0.0, low), high * 1.08
        linear(axes.yaxis, low, high, unit, like)
    axes.set_ylim(low, high)
    lines = {line: [dot for dot in dots if dot.line == line] for line in dict.fromkeys(dot.line for dot in dots)}
    for index, (line, members) in enumerate(lines.items()):
        colour, marker = SERIES[index % len(SERIES)], MARKERS[index % len(MARKERS)]
        style = {"color": colour, "marker": marker, "markersize": 5, "linewidth": 1.2}
        axes.plot([dot.x for dot in members], [dot.median for dot in members], label=line, **style)
        for dot in members:
            spots = [dot.x] * len(dot.samples)
            axes.plot(spots, dot.samples, "o", color=colour, alpha=0.25, markersize=4, markeredgewidth=0)
            if dot.low is not None and dot.high is not None:
                axes.plot([dot.x, dot.x], [dot.low, dot.high], color=colour, linewidth=2, solid_capstyle="butt")
                axes.plot([dot.x, dot.x], [dot.low, dot.high], "_", color=colour, markersize=7, markeredgewidth=1.4)
            if len(lines) == 1:
                axes.annotate(
                    number(dot.median / scale(like, unit)[0]) if name_of_unit else quantity(dot.median, unit),
                    (dot.x, dot.high if dot.high is not None else dot.median),
                    xytext=(0, 5),
                    textcoords="offset points",
                    ha="center",
                    color=INK,
                )
    if len(lines) > 1:
        axes.legend(loc="lower left", bbox_to_anchor=(0, 1), ncols=2, handlelength=2, borderaxespad=0.2)
    ticks = sorted({dot.x for dot in dots})
    axes.set_xticks(ticks, [number(x) for x in ticks], minor=False)
    axes.xaxis.set_minor_locator(pyplot.NullLocator())
    axes.margins(x=0.08)
    axes.set_xlabel(parameter)
    axes.set_ylabel(axis_label(metric, name_of_unit))
    figure.tight_layout(pad=0.4)
    return finish(
        figure, name, caption, f"Curve of {metric} over {parameter}: " + _lines_in_words(lines)
    )


def _lines_in_words(lines: dict[str, list[Dot]]) -> str:
    told = {line: "; ".join(f"{number(dot.x)}: {dot.text}" for dot in dots) for line, dots in lines.items()}
    return "; ".join(told.values()) if len(told) == 1 else ". ".join(f"{line} {text}" for line, text in told.items())


def bars(
    name: str,
    labels: list[str],
    columns: list[tuple[str, list[float | None]]],
    metric: str,
    unit: str,
    caption: str,
    texts: list[list[str]],
    end: float | None = None,
) -> Drawing:
    """Groups of horizontal bars: one group a label, one bar a column. `texts` follows `columns`. `end`: of the axis,
    where there is a largest value that can be reached."""
    highest = max(value for _, values in columns for value in values if value is not None) or 1
    thick, gap = 0.3, 0.34
    step = len(columns) * thick + gap
    height = (1.05 if len(columns) > 1 else 0.8) + 0.62 * step * len(labels)
    figure, axes = pyplot.subplots(figsize=(WIDTH, height))
    for column, (title, values) in enumerate(columns):
        at = [-(group * step + column * thick) for group in range(len(labels))]
        axes.barh(
            at,
            [value or 0 for value in values],
            height=thick * 0.86,
            color=SERIES[column % len(SERIES)],
            label=title,
            linewidth=0,
        )
        for y, value, text in zip(at, values, texts[column]):
            axes.annotate(text, (value or 0, y), xytext=(4, 0), textcoords="offset points", va="center", fontsize=7.5)
    axes.set_yticks([-(group * step + (len(columns) - 1) * thick / 2) for group in range(len(labels))], labels)
    axes.tick_params(axis="y", length=0)
    axes.grid(axis="y", visible=False)
    right = max(highest * 1.06, end * 1.1) if end else highest * 1.28
    axes.set_xlim(0, right)
    axes.set_xlabel(axis_label(metric, linear(axes.xaxis, 0, right, unit, highest)))
    if end:
        axes.axvline(end, color=MUTED, linewidth=1, linestyle="--")
    if len(columns) > 1:
        axes.legend(loc="lower left", bbox_to_anchor=(0, 1), ncols=4, handlelength=1.2, borderaxespad=0.2)
    figure.tight_layout(pad=0.4)
    alt = f"Bars of {metric}: " + "; ".join(
        f"{label} {title if len(columns) > 1 else ''} {texts[column][group]}".replace("  ", " ")
        for group, label in enumerate(labels)
        for column, (title, _) in enumerate(columns)
    )
    return finish(figure, name, caption, alt)
