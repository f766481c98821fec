"""The tables at the end: the machine, its noise, the controls, the failures and the cost of measuring. plots/state_tables.py has the machine's state."""

from statistics import median

from plots.document import Run, natural
from plots.format import NONE, number, path_in_words, percent, quantity, spread, words
from plots.scenarios import report_of
from plots.tables import Cell, Column, Table, code, row
from plots.verdict_tables import verdict


def flatten(value: object, name: str = "") -> list[tuple[str, object]]:
    """Nested objects as (dotted name, value)."""
    if isinstance(value, dict) and value:
        return [pair for key, inner in value.items() for pair in flatten(inner, f"{name}.{key}" if name else key)]
    return [(name, value)]


def shown(name: str, value: object) -> str:
    if value is None or value == [] or value == {}:
        return "none" if value is not None else NONE
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return ", ".join(shown("", part) for part in value)
    if isinstance(value, dict):
        return ", ".join(f"{key} {shown(key, part)}" for key, part in value.items())
    if isinstance(value, (int, float)):
        return quantity(value, "byte") if name.endswith("bytes") else number(value)
    return str(value)


def identity(run: Run) -> Table:
    lines = [row(path_in_words(name), shown(name, value)) for name, value in flatten(run["machine"]["identity"])]
    lines.append(row("key", code(run["machine"]["key"])))
    return Table(
        "The machine", [Column("Property"), Column("Value")], lines, "Runs with different keys are not compared."
    )


def noise(run: Run) -> Table:
    """Each timed configuration: spread between processes and inside them, steal, context switches."""
    gathered: dict[tuple[str, str], list[dict]] = {}
    for process in run.used():
        for event in process["events"] if process["status"] == "ok" else []:
            scenario = process["configuration"].split(".", 1)[0]
            if event["event"] == "samples" and not report_of(scenario).own(event["metric"]):
                gathered.setdefault((run.label(process), event["metric"]), []).append(
                    {**process, "repeats": [v for v in event["values"] if v is not None]}
                )
    lines = []
    for (label, metric), processes in sorted(gathered.items(), key=lambda item: natural(item[0][0])):
        middles = [median(process["repeats"]) for process in processes if process["repeats"]]
        inside = [width for process in processes if (width := spread(process["repeats"])) is not None]
        steal = [process["steal_percent"] for process in processes if process["steal_percent"] is not None]
        lines.append(
            row(
                code(label),
                words(metric),
                percent(spread(middles), 2),
                percent(median(inside) if inside else None, 2),
                f"{number(max(steal), 2)} %" if steal else NONE,
                _switches(processes, "voluntary"),
                _switches(processes, "involuntary"),
            )
        )
    return Table(
        "Noise",
        [
            Column("Configuration"),
            Column("Metric"),
            Column("Between processes", number=True),
            Column("Inside a process", number=True),
            Column("Largest steal", number=True),
            Column("Voluntary switches", number=True),
            Column("Involuntary", number=True),
        ],
        lines,
        "Spread: (largest − smallest) / median. Steal: the share of processor time that went to others on this host while the process "
        "ran. Context switches: the median over processes.",
    )


def _switches(processes: list[dict], kind: str) -> str:
    known = [
        process["context_switches"][kind] for process in processes if process["context_switches"][kind] is not None
    ]
    return number(median(known)) if known else NONE


def controls(run: Run) -> Table:
    lines = [
        row(
            code(control["name"]),
            control.get("summary", ""),
            "on" if control["on"] else "off",
            Cell("yes" if control["acts"] else "no", note=control["reason"]),
        )
        for control in run["controls"]
    ]
    return Table(
        "Controls", [Column("Control"), Column("What it does"), Column("State"), Column("Can act here")], lines
    )


def programs(run: Run) -> Table:
    lines = [
        row(
            program["name"],
            program["version"],
            Cell(program["commit"][:12], code=True, note="with uncommitted changes" if program["dirty"] else ""),
            ", ".join(f"{name} {shown(name, value)}" for name, value in flatten(program["build"]) if name),
        )
        for program in run["programs"]
    ]
    return Table("Programs", [Column("Program"), Column("Version"), Column("Commit"), Column("Build")], lines)


def cost(run: Run) -> Table:
    harness = run["harness"]
    lines = [
        row(title, quantity(_ns(harness[key]["median"]), "ns"), quantity(_ns(harness[key]["max"]), "ns"))
        for title, key in (("start of the process", "spawn_ms"), ("reading its events", "parse_ms"))
    ]
    both = [
        process["spawn_ms"] + process["parse_ms"]
        for process in run["processes"]
        if process["spawn_ms"] is not None and process["parse_ms"] is not None
    ]
    if both:
        lines.append(row("both", quantity(_ns(median(both)), "ns"), quantity(_ns(max(both)), "ns")))
    return Table(
        "What measuring costs for each case",
        [Column("Part"), Column("Median", number=True), Column("Largest", number=True)],
        lines,
        "This time lies outside the timed region. It makes a run longer and changes no result.",
    )


def _ns(milliseconds: float | None) -> float | None:
    return None if milliseconds is None else milliseconds * 1e6


def failures(run: Run) -> Table:
    lines = [
        row(
            code(run.label(failure)),
            verdict(failure["status"]),
            failure["reason"],
            str(failure["round"]),
            str(failure["attempt"]),
        )
        for failure in run["failures"] + run["skipped"]
    ]
    return Table(
        "Failed and skipped",
        [
            Column("Configuration"),
            Column("Status"),
            Column("Reason"),
            Column("Round", number=True),
            Column("Attempt", number=True),
        ],
        lines,
        "A round in which a process fails runs once more. A configuration that fails again leaves its group, and only comparisons that "
        "name it are invalid.",
    )
