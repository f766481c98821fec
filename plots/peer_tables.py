"""The table of assay's own times beside those of other frameworks, measured in the same rounds."""

from plots.document import Configuration, Run
from plots.format import NONE, effect, quantity, words
from plots.tables import Cell, Column, Table, code, row
from plots.verdict_tables import verdict


def against(run: Run, scenario: str) -> Table:
    lines = []
    for one in run["against"]:
        if one["scenario"] != scenario:
            continue
        less = one["without_call_overhead"]
        lines.append(
            row(
                Cell(Configuration(one["configuration"]).short, code=True, note=words(one["metric"])),
                code(one["peer"]),
                quantity(one["ours"], one["unit"], one["metric"]),
                quantity(one["theirs"], one["unit"], one["metric"]),
                effect(one["estimate"], one["low"], one["high"], "ratio"),
                Cell(
                    effect(less["estimate"], less["low"], less["high"], "ratio") if less else NONE,
                    note=f"call overhead {quantity(one['call_overhead'], one['unit'], one['metric'])}" if less else "",
                ),
                verdict(one["verdict"], one["reason"] if one["verdict"] == "invalid" else ""),
            )
        )
    return Table(
        "Beside other frameworks",
        [Column("Work"), Column("Peer")]
        + [
            Column(title, number=True)
            for title in (run.program_names[0], "Peer's", "Ratio", "Without call overhead")
        ]
        + [Column("Verdict")],
        lines,
        f"Ratio: {run.program_names[0]} / peer, formed in the same rounds; the median with its interval. Below 1 "
        f"{run.program_names[0]} takes less. The call overhead is the time of a call of the peer that does nothing, measured in the same "
        "process. A peer whose answers differ shows no ratio. These comparisons test no claim.",
        stack=True,
    )
