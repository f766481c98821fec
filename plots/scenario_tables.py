"""The tables of one scenario, among them checks, choices and what was not measured; its protocol in words."""

from collections import Counter

from plots.ablation_tables import ablation_tables
from plots.comparison_tables import comparisons, paired_rows
from plots.document import Configuration, Run
from plots.format import NONE, count, number, path_in_words, plain_words, words
from plots.peer_tables import against
from plots.plans import is_plan, plan_in_words
from plots.scenario_report import ScenarioReport
from plots.tables import Cell, Column, Table, code, row
from plots.value_tables import once_tables, value_table
from plots.verdict_tables import verdict


def scenario_tables(run: Run, scenario: str, options: ScenarioReport) -> list[Table]:
    values = [value for value in run.values(scenario) if not options.own(value["metric"])]
    tables = [
        *ablation_tables(run, scenario),
        *(options.tables(run, scenario) if options.tables else []),
        comparisons(run, scenario),
        against(run, scenario),
        paired_rows(run, scenario),
        value_table(run, [value for value in values if value["per"] != "run"], "Values over rounds and seeds"),
        *once_tables(run, [value for value in values if value["per"] == "run"], options),
        checks(run, scenario),
        choices(run, scenario, options),
        not_measured(run, scenario),
    ]
    return [table for table in tables if table.rows]


def checks(run: Run, scenario: str) -> Table:
    """One row a check; a configuration in which it failed gets a row of its own, first."""
    gathered: dict[tuple, list[tuple[dict, dict]]] = {}
    for process, event in run.events(scenario, "check"):
        broken = "" if event["passed"] else run.label(process)
        gathered.setdefault((event["passed"], event["name"], broken), []).append((process, event))
    lines = []
    for (passed, name, _), found in sorted(gathered.items()):
        known = [event["measured"] for _, event in found if event["measured"] is not None]
        limits = list(dict.fromkeys(number(event["limit"]) for _, event in found))
        lines.append(
            row(
                words(name),
                verdict("passed") if passed else Cell("failed", tone="bad"),
                count(len(found), "process", "processes"),
                number(max(known)) if known else NONE,
                ", ".join(limits),
                Cell(_which(run, scenario, [process for process, _ in found]), code=True),
            )
        )
    return Table(
        "Checks",
        [
            Column("Check"),
            Column("Result"),
            Column("In", number=True),
            Column("Largest measured", number=True),
            Column("Limit", number=True),
            Column("Configurations"),
        ],
        lines,
        "A comparison whose case failed a check shows no ratio.",
    )


def choices(run: Run, scenario: str, options: ScenarioReport) -> Table:
    gathered: dict[tuple[str, str], list[dict]] = {}
    for process, event in run.events(scenario, "choice"):
        if options.own(str(event.get("name", ""))):
            continue
        value = event.get("value")
        shown = plan_in_words(value) if is_plan(value) else plain_words(value)
        gathered.setdefault((str(event.get("name", "")), shown), []).append(process)
    lines = [
        row(path_in_words(name), Cell(value), Cell(_which(run, scenario, found), code=True))
        for (name, value), found in gathered.items()
    ]
    return Table(
        "Choices",
        [Column("Choice"), Column("Value"), Column("Configurations")],
        lines,
        "What the program chose by itself, and what a timed call includes.",
    )


def _which(run: Run, scenario: str, rows: list[dict]) -> str:
    """The configurations of some processes: all that ran, a few by name, many by their case."""
    names = list(dict.fromkeys(run.label(process) for process in rows))
    everything = {run.label(process) for process in run.used(scenario) if process["status"] == "ok"}
    if len(names) > 2 and set(names) == everything:
        return f"all {len(names)}"
    if len(names) <= 4:
        return ", ".join(names)
    cases = Counter(name.split("{", 1)[0] for name in names)
    return ", ".join(case if n == 1 else f"{case} ({n})" for case, n in cases.items())


def not_measured(run: Run, scenario: str) -> Table:
    """Skipped and failed processes with their reasons, equal ones once."""
    gathered: dict[tuple, list[int]] = {}
    left = {(row["program"], row["configuration"]) for row in run["failures"] + run["skipped"]}
    for process in run["processes"]:
        if process["status"] != "ok" and Configuration(process["configuration"]).scenario == scenario:
            then = (
                "left the run" if (process["program"], process["configuration"]) in left else "the round was run again"
            )
            gathered.setdefault((run.label(process), process["status"], process["reason"], then), []).append(
                process["round"]
            )
    lines = [
        row(
            code(label),
            verdict(status),
            reason,
            ", ".join(str(at) for at in dict.fromkeys(rounds) if at is not None),
            then,
        )
        for (label, status, reason, then), rounds in gathered.items()
    ]
    return Table(
        "Skipped and failed",
        [Column("Configuration"), Column("Status"), Column("Reason"), Column("Round", number=True), Column("Then")],
        lines,
    )


def protocol(run: Run, scenario: str) -> str:
    """How long and how often: the lengths that the cases ran with, then the profile's counts."""
    known = []
    for name, values in run.lengths(scenario).items():
        shown = (number(value) if isinstance(value, (int, float)) else str(value) for value in values)
        known.append(f"{words(name)} {', '.join(shown)}")
    profile, threads = run["profile"], run["options"].get("threads")
    units = {row["per"] for row in run.values(scenario)}
    known += [count(profile[f"{per}s"], per) for per in ("round", "seed") if per in units]
    known += ["each configuration once"] if units == {"run"} else []
    known.append(f"{count(profile['repetitions'], 'repetition')} in each process")
    return "; ".join(known + ([count(threads, "thread")] if isinstance(threads, int) else []))
