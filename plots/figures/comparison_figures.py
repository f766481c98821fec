"""Forest plots of comparisons."""

from plots.ablations import is_ablation
from plots.document import Run
from plots.figures.ablation_figures import worths
from plots.figures.forest import Row, forest
from plots.figures.grouped_forest import grouped_forest
from plots.figures.style import Drawing, file_name
from plots.format import effect, words
from plots.labels import program_in_words


def effects(run: Run, scenario: str) -> list[Drawing]:
    """One figure of all ratios, and one of each metric whose difference was taken."""
    gathered: dict[tuple[str, str, str], list[dict]] = {}
    for comparison in run.comparisons(scenario):
        of_metric = (comparison["metric"], comparison["unit"]) if comparison["form"] == "difference" else ("", "")
        if comparison["estimate"] is not None and not is_ablation(comparison):
            gathered.setdefault((comparison["form"], *of_metric), []).append(comparison)
    return worths(run, scenario) + [
        drawing
        for (form, metric, unit), found in gathered.items()
        if (drawing := _figure(file_name(f"{scenario}-{form}-{metric}"), found, form, metric, unit))
    ]


def _figure(name: str, found: list[dict], form: str, metric: str, unit: str) -> Drawing | None:
    several = len({comparison["program"] for comparison in found}) > 1
    axis = "candidate / baseline, logarithmic" if form == "ratio" else f"candidate − baseline, {words(metric)}"
    caption = f"Comparisons as {form}s: the point is the median over rounds or seeds, the bar its interval"
    groups: dict[str, list[Row]] = {}
    for comparison in found:
        title = words(comparison["id"].split(".", 1)[1])
        groups.setdefault(title, []).append(
            Row(
                program_in_words(comparison["program"]) if several else title,
                effect(*(comparison[key] for key in ("estimate", "low", "high", "form", "unit", "metric"))),
                comparison["estimate"],
                comparison["low"],
                comparison["high"],
                tuple(comparison["samples"]),
            )
        )
    if several:
        return grouped_forest(name, groups, form, axis, unit, f"{caption}.")
    rows = [row for members in groups.values() for row in members]
    return forest(name, rows, form, axis, unit, f"{caption}, a pale dot one sample.")
