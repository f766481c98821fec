"""Forest plots of claims and comparisons."""

from plots import claims as claim_rules
from plots.document import Run
from plots.figures.forest import Row, forest
from plots.figures.style import Drawing, file_name
from plots.format import effect, ratio


def verdict_forest(run: Run) -> Drawing | None:
    """The ratios behind the claims, each with its published figure and the band in which the advice holds."""
    found, programs = [], claim_rules.programs(run["claims"])
    for claim in run["claims"]:
        figure = claim_rules.figure_of(claim["published"])
        for verdict in claim["verdicts"]:
            if verdict["estimate"] is None or claim_rules.form_of(claim) != "ratio":
                continue
            label = claim["id"] if len(programs) == 1 else f"{claim['id']}, {verdict['program']}"
            found.append(
                Row(
                    label,
                    ratio(verdict["estimate"], verdict["low"], verdict["high"]),
                    verdict["estimate"],
                    verdict["low"],
                    verdict["high"],
                    published=figure[1] if figure and figure[0] == "ratio" else None,
                    bands=tuple(claim_rules.bands(claim["holds"])),
                )
            )
    return forest(
        "verdicts",
        found,
        "ratio",
        "ratio of the compared measurements, logarithmic",
        "",
        "Measured ratios with their intervals beside the published figures. Advice about a difference or a single "
        "value stands in the table only.",
    )


def effects(run: Run, scenario: str) -> list[Drawing]:
    drawings = []
    for form, metric, unit in dict.fromkeys(
        (
            row["form"],
            row["metric"] if row["form"] == "difference" else "",
            row["unit"] if row["form"] == "difference" else "",
        )
        for row in run.comparisons(scenario)
    ):
        found = [
            Row(
                (
                    row["id"].split(".", 1)[1]
                    if len(run.program_names) == 1
                    else f"{row['program']}: {row['id'].split('.', 1)[1]}"
                ),
                effect(row["estimate"], row["low"], row["high"], form, row["unit"], row["metric"]),
                row["estimate"],
                row["low"],
                row["high"],
                tuple(row["samples"]),
            )
            for row in run.comparisons(scenario)
            if row["form"] == form and row["estimate"] is not None and (form == "ratio" or row["metric"] == metric)
        ]
        axis = (
            "candidate / baseline, logarithmic"
            if form == "ratio"
            else f"candidate − baseline, {metric.replace('_', ' ')}"
        )
        caption = (
            "Comparisons as ratios: the point is the median over rounds, the bar its interval, a pale dot one sample."
            if form == "ratio"
            else "Comparisons as differences: the point is the median, the bar its interval, a pale dot one sample."
        )
        drawing = forest(file_name(f"{scenario}-{form}-{metric}"), found, form, axis, unit, caption)
        drawings += [drawing] if drawing else []
    return drawings
