"""How steady the machine was: every process against the median of its configuration, in the order in which they ran."""

from statistics import median

from plots.figures.axes import linear, nice_ticks, set_ticks
from plots.format import signed, tick
from plots.figures.style import MUTED, SERIES, WIDTH, Drawing, finish, pyplot


def deviations(processes: list[dict]) -> list[tuple[int, float]]:
    """(place in the run, percent from the configuration's median) of each timed process and metric."""
    samples: dict[tuple, list[tuple[int, float]]] = {}
    for place, process in enumerate(processes, start=1):
        if process["status"] != "ok":
            continue
        for event in process["events"]:
            values = (
                [value for value in event.get("values", []) if value is not None] if event["event"] == "samples" else []
            )
            if values:
                samples.setdefault((process["program"], process["configuration"], event["metric"]), []).append(
                    (place, median(values))
                )
    found = []
    for points in samples.values():
        middle = median(value for _, value in points)
        if len(points) > 1 and middle > 0:
            found += [(place, (value / middle - 1) * 100) for place, value in points]
    return sorted(found)


def noise(processes: list[dict]) -> Drawing | None:
    points = deviations(processes)
    if not points:
        return None
    figure, axes = pyplot.subplots(figsize=(WIDTH, 2.3))
    widest = max(max(abs(percent) for _, percent in points) * 1.12, 1)
    wild = widest > 100 and min(percent for _, percent in points) > -100  # then a few would press all others on one line
    ys = [1 + percent / 100 if wild else percent for _, percent in points]
    axes.axhline(1 if wild else 0, color=MUTED, linewidth=0.9)
    axes.plot(
        [place for place, _ in points],
        ys,
        "o",
        color=SERIES[0],
        alpha=0.5,
        markersize=3.5,
        markeredgewidth=0,
    )
    if wild:
        axes.set_yscale("log")
        low, high = min(min(ys), 0.5) / 1.2, max(ys) * 1.2
        axes.set_ylim(low, high)
        set_ticks(axes.yaxis, nice_ticks(low, high, 5), lambda value: f"{tick(value)}×")
    else:
        axes.set_ylim(-widest, widest)
        linear(axes.yaxis, -widest, widest, "")
    axes.set_xlabel("place in the run")
    axes.set_ylabel("times the median, logarithmic" if wild else "from the median (%)")
    figure.tight_layout(pad=0.4)
    near = sum(abs(percent) <= 5 for _, percent in points)
    largest = max(points, key=lambda point: abs(point[1]))
    return finish(
        figure,
        "noise",
        "Every timed process against the median of its configuration, in the order in which they ran. "
        "A trend or steps would mean that the machine changed during the run.",
        f"One dot a process over the run, {len(points)} of them: {near} lie within 5 % of their median, the one "
        f"furthest from its median is off by {signed(largest[1])} %",
    )
