"""The ratios behind the claims: under each advice one line a program, with the published figure and the band in which
the advice holds."""

from plots import claims as rules
from plots.document import Run
from plots.figures.forest import Row
from plots.figures.grouped_forest import grouped_forest
from plots.figures.style import Drawing
from plots.format import ratio
from plots.labels import program_in_words

MAX_LINES = 40  # of one figure; more are drawn section by section
AXIS = "ratio of the compared measurements, logarithmic"
CAPTION = (
    "Measured ratios with their intervals beside the published figures. Advice about a difference or a single value "
    "stands in the table only."
)


def verdict_forests(run: Run) -> list[Drawing]:
    several = len(rules.programs(run["claims"])) > 1
    sections: dict[int, dict[str, list[Row]]] = {}
    for claim in run["claims"]:
        rows = _rows(claim, several)
        if rows:
            sections.setdefault(claim["section"], {})[claim["advice"]] = rows
    lines = sum(len(rows) + 1 for groups in sections.values() for rows in groups.values())
    if lines <= MAX_LINES:
        every = {advice: rows for groups in sections.values() for advice, rows in groups.items()}
        found = [grouped_forest("verdicts", every, "ratio", AXIS, "", CAPTION)]
    else:
        found = [
            grouped_forest(f"verdicts-{section}", groups, "ratio", AXIS, "", f"{_title(section)}. {CAPTION}")
            for section, groups in sections.items()
        ]
    return [drawing for drawing in found if drawing]


def _rows(claim: dict, several: bool) -> list[Row]:
    """What each program measured in each format, where the claim is about a ratio."""
    if rules.form_of(claim) != "ratio":
        return []
    figure = rules.figure_of(claim["published"])
    return [
        Row(
            ", ".join(filter(None, (program_in_words(verdict["program"]) if several else "", verdict["format"]))),
            ratio(verdict["estimate"], verdict["low"], verdict["high"]),
            verdict["estimate"],
            verdict["low"],
            verdict["high"],
            published=figure[1] if figure and figure[0] == "ratio" and _is_of(claim, verdict) else None,
            bands=tuple(rules.bands(claim["holds"])),
        )
        for verdict in claim["verdicts"]
        if verdict["estimate"] is not None
    ]


def _is_of(claim: dict, verdict: dict) -> bool:
    """Whether the published figure is of the verdict's format."""
    return claim["published"].get("format", verdict["format"]) == verdict["format"]


def _title(section: int) -> str:
    return rules.SECTIONS.get(section, f"Section {section}")
