"""The tables at the top: what holds on this machine, and what is not tested yet."""

from dataclasses import replace

from plots import claims as rules
from plots.document import Run
from plots.format import NONE, effect, interval, number
from plots.labels import program_in_words
from plots.tables import Cell, Column, Table, code, row

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
    "not testable here": "open",
}

FIGURES = ("reproduced", "same direction", "opposite", "undecided")


def verdict(name: str, note: str = "") -> Cell:
    return Cell(name, tone=TONES.get(name, ""), note=note)


def measured(claim: dict, found: dict) -> str:
    """What a claim's verdict rests on, in the form of the comparison or value that tests it."""
    form, parts = rules.form_of(claim), (found["estimate"], found["low"], found["high"])
    return interval(*parts, found["unit"]) if form == "value" else effect(*parts, form, found["unit"])


def _published(claim: dict) -> Cell:
    figure = rules.figure_of(claim["published"])
    note = (
        f"as a ratio measured here: {number(figure[1])}×" if figure and figure[0] == "ratio" and figure[1] < 1 else ""
    )
    return Cell(claim["published"]["text"], note=note)


NOTE = (
    "Measured: the median, with its interval in brackets. Ratios are candidate / baseline of the raw measurement. An advice holds when "
    "the whole interval lies inside its bounds and fails when the whole interval lies outside. A figure is reproduced when the whole "
    "interval lies within a factor of 1.5 of it, or within the claim's own bounds."
)
CAPTION = "What holds on this machine"


def verdict_table(run: Run) -> Table:
    """One program has three columns, several have one each."""
    programs = rules.programs(run["claims"])
    return _of_one(run, programs[0]) if len(programs) == 1 else _of_several(run, programs)


def _advice(claim: dict, format: str) -> Cell:
    return Cell(_with_format(claim["advice"], format), note=claim["id"], note_code=True)


def _with_format(text: str, format: str) -> str:
    """Names the number format that a verdict is about, where a claim has verdicts for several."""
    return f"{text} ({format})" if format else text


def _reasons(found: dict) -> tuple[str, str]:
    """Of the advice's verdict and of the figure's: it belongs to the figure where only that has no verdict."""
    decided = found["advice"] in ("holds", "fails")
    if decided and found["figure"] in ("reproduced", "same direction", "opposite"):
        return found["reason"], ""
    return ("", found["reason"]) if decided else (found["reason"], "")


def _tested(run: Run) -> list[tuple[dict, str]]:
    """(claim, format) of each line of the verdict table."""
    return [(claim, format) for claim in run["claims"] if rules.is_tested(claim) for format in rules.formats(claim)]


def _of_one(run: Run, program: str) -> Table:
    columns = [Column("Advice"), Column("Holds if"), Column("Published"), Column("Measured here", number=True)]
    columns += [Column("Advice here"), Column("Published figure")]
    lines = []
    for claim, format in _tested(run):
        found = rules.verdict_of(claim, program, format)
        of_advice, of_figure = _reasons(found)
        lines.append(
            row(
                _advice(claim, format),
                rules.bounds_text(claim["holds"]) or "no bound yet",
                _published(claim),
                measured(claim, found),
                verdict(found["advice"], of_advice),
                verdict(found["figure"], of_figure),
            )
        )
    return Table(CAPTION, columns, lines, NOTE, stack=True)


def _of_several(run: Run, programs: list[str]) -> Table:
    columns = [Column("Advice"), Column("Published")]
    columns += [Column(program_in_words(program)) for program in programs]
    lines = []
    for claim, format in _tested(run):
        published = _published(claim)
        bound = f"holds if {rules.bounds_text(claim['holds'])}" if claim["holds"] else "no bound yet"
        cells: list[object] = [_advice(claim, format), replace(published, more=bound)]
        for program in programs:
            found = rules.verdict_of(claim, program, format)
            if found is None:
                cells.append(Cell("not run", tone="open"))
                continue
            shown = measured(claim, found)
            if len(shown.partition("[")[2]) <= 16:
                shown = shown.replace(", ", ",\u00a0")  # a line may end before an interval, not inside it
            figure = f"figure: {found['figure']}" if found["figure"] in FIGURES else ""
            cells.append(replace(verdict(found["advice"], "" if shown == NONE else shown), more=figure))
        lines.append(row(*cells))
    note = " Each cell also shows what was measured and how it compares with the published figure."
    return Table(CAPTION, columns, lines, NOTE + note, stack=True, dense=len(programs) > 2)


def reasons(run: Run) -> Table:
    """Why a program of several has no verdict; equal reasons share a row."""
    programs = rules.programs(run["claims"])
    by_claim: dict[tuple[str, str], list[str]] = {}
    for claim in filter(rules.is_tested, run["claims"]):
        for found in claim["verdicts"] if len(programs) > 1 else []:
            if _reasons(found)[0] and found["advice"] != rules.NOT_TESTED:
                key = (_with_format(claim["id"], found["format"]), found["reason"])
                by_claim.setdefault(key, []).append(program_in_words(found["program"]))
    gathered: dict[tuple[str, tuple[str, ...]], list[str]] = {}
    for (claim_id, reason), names in by_claim.items():
        gathered.setdefault((reason, tuple(names)), []).append(claim_id)
    lines = [
        row(reason, "all" if len(names) == len(programs) else "; ".join(names), code(", ".join(ids)))
        for (reason, names), ids in gathered.items()
    ]
    return Table("Why there is no verdict", [Column("Reason"), Column("Programs"), Column("Claims")], lines, stack=True)


def tally(run: Run) -> Table:
    """How many pieces of advice got which verdict, a row a program."""
    counts = {program: rules.counts(run["claims"], program) for program in rules.programs(run["claims"])}
    shown = [name for name in rules.COUNTED if name != rules.DEPENDS or any(found[name] for found in counts.values())]
    columns = [Column("Program")] + [Column(name, number=True) for name in shown]
    lines = [row(program_in_words(program), *(str(found[name]) for name in shown)) for program, found in counts.items()]
    return Table(f"{len(run['claims'])} pieces of advice", columns, lines if len(counts) > 1 else [])


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
