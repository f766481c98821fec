"""The tables at the top: what holds on this machine, and what is not tested yet."""

from plots import claims as rules
from plots.document import Run
from plots.format import effect, interval, number
from plots.tables import Cell, Column, Table, row

TONES = {
    "holds": "good",
    "reproduced": "good",
    "fails": "bad",
    "opposite": "bad",
    "improved": "good",
    "regressed": "bad",
    "invalid": "bad",
    "failed": "bad",
    "skipped": "open",
    "undecided": "open",
}


def verdict(name: str, note: str = "") -> Cell:
    return Cell(name, tone=TONES.get(name, ""), note=note)


def measured(run: Run, claim: dict, found: dict) -> str:
    """What a claim's verdict rests on, in the form of the comparison or value that tests it."""
    form, parts = rules.form_of(claim), (found["estimate"], found["low"], found["high"])
    return (
        interval(*parts, run.unit_of_claim(claim))
        if form == "value"
        else effect(*parts, form, run.unit_of_claim(claim))
    )


def _published(claim: dict) -> Cell:
    figure = rules.figure_of(claim["published"])
    note = (
        f"as a ratio measured here: {number(figure[1])}×" if figure and figure[0] == "ratio" and figure[1] < 1 else ""
    )
    return Cell(claim["published"]["text"], note=note)


def verdict_table(run: Run) -> Table:
    programs = rules.programs(run["claims"])
    columns = [Column("Advice"), Column("Holds if"), Column("Published")]
    for program in programs:
        columns += [
            Column("Measured here", number=True, group=program),
            Column("Advice here", group=program),
            Column("Published figure", group=program),
        ]
    lines = []
    for claim in filter(rules.is_tested, run["claims"]):
        cells: list[object] = [
            Cell(claim["advice"], note=claim["id"], note_code=True),
            rules.bounds_text(claim["holds"]) or "no bound yet",
            _published(claim),
        ]
        for program in programs:
            found = rules.verdict_of(claim, program)
            if found is None:
                cells += ["", "not run", "not run"]
                continue
            # A reason belongs to the figure where only that has no verdict.
            of_figure = found["advice"] in ("holds", "fails") and found["figure"] not in (
                "reproduced",
                "same direction",
                "opposite",
            )
            cells += [
                measured(run, claim, found),
                verdict(found["advice"], "" if of_figure else found["reason"]),
                verdict(found["figure"], found["reason"] if of_figure else ""),
            ]
        lines.append(row(*cells))
    return Table(
        "What holds on this machine",
        columns,
        lines,
        "Measured: the median, and in brackets its interval. Ratios are candidate / baseline of the raw "
        "measurement. An advice holds or fails when the whole interval lies on one side of its bound; a figure is "
        "reproduced when the whole interval lies within a factor of 1.5 of it, or within the claim's own bounds.",
        stack=True,
    )


def bounds(run: Run) -> list[dict]:
    """The tested claims that say why their bounds are what they are."""
    return [claim for claim in run["claims"] if rules.is_tested(claim) and claim["why"]]


def untested(run: Run) -> list[tuple[str, list[dict]]]:
    """(section, its claims) of everything that no program tested."""
    found: dict[int, list[dict]] = {}
    for claim in run["claims"]:
        if not rules.is_tested(claim):
            found.setdefault(claim["section"], []).append(claim)
    return [(rules.SECTIONS.get(section, f"Section {section}"), found[section]) for section in sorted(found)]
