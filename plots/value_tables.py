"""Tables of values: over rounds and seeds with their intervals, and what was measured once."""

from plots.document import Configuration, Run, natural
from plots.format import NONE, count, interval, percent, quantity, spread, words
from plots.labels import labels
from plots.tables import Cell, Column, Table, row
from plots.scenario_report import ScenarioReport


def value_table(run: Run, values: list[dict], caption: str) -> Table:
    once = all(value["per"] == "run" for value in values)
    values = sorted(values, key=lambda value: natural(run.label(value)))
    lines = []
    for value in values:
        label = Cell(run.label(value), code=True)
        metric = words(value["metric"])
        shown = interval(value["median"], value["low"], value["high"], value["unit"], value["metric"])
        if once:
            lines.append(row(label, metric, Cell(shown, note=_once_note(run, value)), value["better"]))
        else:
            lines.append(
                row(
                    label,
                    metric,
                    Cell(shown, note=value["reason"]),
                    value["better"],
                    count(len(value["samples"]), value["per"]),
                    percent(spread(value["samples"]), 2),
                )
            )
    columns = [
        Column("Configuration"),
        Column("Metric"),
        Column("Value" if once else "Median", number=True),
        Column("Better"),
    ]
    return Table(
        caption,
        columns if once else [*columns, Column("Over", number=True), Column("Spread", number=True)],
        lines,
        "" if once else "Spread: (largest − smallest) / median of the samples, one from each process.",
    )


def once_tables(run: Run, values: list[dict], options: ScenarioReport) -> list[Table]:
    """Cases with several metrics in a few configurations get a table each, with one column for each configuration. The
    others share one table."""
    cases: dict[str, list[dict]] = {}
    for value in values:
        cases.setdefault(Configuration(value["configuration"]).case, []).append(value)
    wide, rest = [], []
    for case, members in cases.items():
        keys = sorted(
            {(value["program"], value["configuration"]) for value in members}, key=lambda key: natural(str(key))
        )
        metrics = list(dict.fromkeys((value["metric"], value["better"]) for value in members))
        if len(keys) > 4 or len(metrics) < 3:
            rest += members
            continue
        named = labels(run, members, options) if len(keys) > 1 else dict.fromkeys(keys, "Value")
        found = {(value["program"], value["configuration"], value["metric"]): value for value in members}
        lines = [
            row(options.name(metric), *(_once_cell(run, found.get((*key, metric))) for key in keys), better)
            for metric, better in metrics
        ]
        columns = [Column("Metric"), *(Column(named[key], number=True) for key in keys), Column("Better")]
        wide.append(Table(f"Measured once: {words(case.split('.', 1)[1])}", columns, lines))
    return [*wide, value_table(run, rest, "Measured once")] if rest else wide


def _once_note(run: Run, value: dict) -> str:
    """Why there is no number, else how far the repetitions of its one process lie apart."""
    if value["median"] is None:
        return value["reason"]
    repeated = run.repetitions.get((value["program"], value["configuration"], value["metric"]))
    if not repeated:
        return ""
    low, high = (quantity(end, value["unit"], value["metric"]) for end in (min(repeated), max(repeated)))
    return f"{len(repeated)} repetitions, {low} to {high}"


def _once_cell(run: Run, value: dict | None) -> Cell:
    if value is None:
        return Cell(NONE)
    return Cell(quantity(value["median"], value["unit"], value["metric"]), note=_once_note(run, value))
