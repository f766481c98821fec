"""What each control is worth. A row is one control: alone off against everything on, and alone on against what it needs."""

from plots.ablations import Ablation, ablations, worth
from plots.document import Configuration, Run
from plots.format import NONE, effect, words
from plots.tables import Cell, Column, Table, code, row

TONES = {"helps": "good", "hurts": "bad", "invalid": "bad", "undecided": "open"}


def ablation_tables(run: Run, scenario: str) -> list[Table]:
    return [_table(run, one) for one in ablations(run, scenario)]


def _table(run: Run, one: Ablation) -> Table:
    lines = [row("everything", *_cells(one.everything), NONE, "")] if one.everything else []
    for control in one.controls.values():
        note = "with " + " and ".join(control.needs) if control.needs else ""
        lines.append(row(code(control.name), *_cells(control.off), *_cells(control.on, note)))
    lines += [
        row(code(control["name"]), NONE, Cell("left out", tone="open", note=control["reason"]), NONE, "")
        for control in run["controls"]
        if control["name"] not in one.controls
    ]
    program = f", {one.program}" if len(run.program_names) > 1 else ""
    return Table(
        f"What each control is worth: {Configuration(one.configuration).short}, {words(one.metric)}{program}",
        [
            Column("Control"),
            Column("Alone off", number=True),
            Column("So it"),
            Column("Alone on", number=True),
            Column("So it"),
        ],
        lines,
        "Alone off: everything but this control / everything on. Alone on: this control with what it needs / what it needs alone. Ratios "
        "are formed inside each round; the median with its interval.",
    )


def _cells(comparison: dict | None, note: str = "") -> tuple[Cell, Cell]:
    if comparison is None:
        return Cell(NONE), Cell("")
    shown = effect(
        *(comparison[key] for key in ("estimate", "low", "high", "form", "unit", "metric")),
    )
    word = worth(comparison)
    reason = comparison["reason"] if word == "invalid" else note
    return Cell(shown), Cell(word, tone=TONES.get(word, ""), note=reason)
