"""Tables of comparisons: effects with intervals and verdicts, and which predictions changed."""

from plots.document import Configuration, Run
from plots.format import count, effect, number, percent, quantity, words
from plots.tables import Cell, Column, Table, code, row
from plots.verdict_tables import verdict


def comparisons(run: Run, scenario: str) -> Table:
    lines = []
    for comparison in run.comparisons(scenario):
        program = f" ({comparison['program']})" if len(run.program_names) > 1 else ""
        margin = (
            percent(comparison["margin"])
            if comparison["form"] == "ratio"
            else quantity(comparison["margin"], comparison["unit"], comparison["metric"])
        )
        estimate = effect(
            comparison["estimate"],
            comparison["low"],
            comparison["high"],
            comparison["form"],
            comparison["unit"],
            comparison["metric"],
        )
        confidence = percent(comparison["confidence"]) if comparison["confidence"] is not None else ""
        better = f", {comparison['better']} is better" if comparison["better"] else ""
        lines.append(
            row(
                Cell(comparison["id"] + program, code=True, note=words(comparison["metric"]) + better),
                Cell(
                    Configuration(comparison["candidate"]).short,
                    code=True,
                    note=f"against {Configuration(comparison['baseline']).short}",
                ),
                estimate,
                verdict(comparison["verdict"], _remark(run, comparison)),
                f"±{margin}",
                Cell(count(comparison["n"], comparison["per"]), note=confidence),
            )
        )
    return Table(
        "Comparisons",
        [
            Column("Comparison"),
            Column("Candidate and baseline"),
            Column("Effect", number=True),
            Column("Verdict"),
            Column("Margin", number=True),
            Column("Over", number=True),
        ],
        lines,
        "Effect: candidate / baseline as a ratio (×), or candidate − baseline, the median with its interval. The exact confidence of the "
        "interval is shown under the number of rounds or seeds. The verdict “same” means that the whole interval lies inside the margin.",
        stack=True,
    )


def _remark(run: Run, comparison: dict) -> str:
    if comparison["verdict"] == "invalid":
        return comparison["reason"]
    remarks = [comparison["reason"]] if comparison["reason"] else []
    seen = comparison["minimum_detectable_effect"]
    if seen is not None:
        size = (
            percent(seen) if comparison["form"] == "ratio" else quantity(seen, comparison["unit"], comparison["metric"])
        )
        remarks.append(f"minimum detectable effect: {size}")
    if comparison["rounds_to_settle"] is not None:
        remarks.append(f"about {count(comparison['rounds_to_settle'], comparison['per'])} would decide it")
    return "; ".join(remarks)


def paired_rows(run: Run, scenario: str) -> Table:
    lines = [
        row(
            code(comparison["id"]),
            str(entry["seed"]),
            words(entry["name"]),
            number(entry["rows"]),
            number(entry["changed"]),
            number(entry["gained"]),
            number(entry["lost"]),
            number(entry["p"]),
        )
        for comparison in run.comparisons(scenario)
        for entry in comparison["paired_rows"]
    ]
    return Table(
        "Which predictions changed",
        [Column("Comparison"), Column("Seed", number=True), Column("Rows of")]
        + [Column(title, number=True) for title in ("Rows", "Changed", "Gained", "Lost", "p")],
        lines,
        "Row by row from baseline to candidate: a gained row became right, a lost row became wrong. p is that of the exact sign test on "
        "these two numbers.",
    )
