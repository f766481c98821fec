"""Figures of what was measured over rounds or seeds: a curve, bars of several programs, controls, or rows of dots."""

from plots.document import Configuration, Run, natural
from plots.figures.ablation_figures import ablation
from plots.figures.peer_bars import CALL_OVERHEAD, Bar, peers
from plots.figures.style import Drawing, file_name
from plots.figures.value_plots import Dot, rows, sweep
from plots.format import interval, quantity
from plots.labels import given, labels, program_in_words
from plots.scenario_report import ScenarioReport


def value_figures(run: Run, scenario: str, options: ScenarioReport) -> list[tuple[str, Drawing]]:
    """A figure for each group and metric in which at least two configurations were measured more than once."""
    gathered: dict[tuple[str, str, str], list[dict]] = {}
    for row in run.values(scenario):
        group = run.group_of.get((row["program"], row["configuration"]))
        if group and row["median"] is not None and row["per"] != "run":
            gathered.setdefault((group, row["metric"], row["unit"]), []).append(row)
    found = []
    for (group, metric, unit), members in gathered.items():
        if len(members) > 1 and metric != CALL_OVERHEAD:
            overheads = gathered.get((group, CALL_OVERHEAD, unit), [])
            found.append((metric, _figure(run, options, file_name(f"{group}-{metric}"), members, overheads)))
    return found


def _figure(run: Run, options: ScenarioReport, name: str, members: list[dict], overheads: list[dict]) -> Drawing:
    """A curve over a numeric parameter, bars where several programs did the same work, else rows of dots."""
    metric, unit, per = (members[0][key] for key in ("metric", "unit", "per"))
    title, caption = options.name(metric), options.captions.get(metric, "")
    caption = f"{caption} Median over {per}s with its interval"
    like = sorted(row["median"] for row in members)[len(members) // 2]  # one unit for the whole figure

    def text(row: dict) -> str:
        return interval(row["median"], row["low"], row["high"], unit, metric, like)

    parameter = _swept(run, members, options)
    several = len({row["program"] for row in members}) > 1
    if several and not parameter and all(row["median"] >= 0 for row in members):
        groups = _bars(run, options, members, overheads, text)
        caption = f"{caption}{'; in parentheses without the time of a call that does nothing' if overheads else ''}.".strip()
        return peers(name, groups, title, unit, caption, like)
    named = labels(run, members, options)
    dots = [
        Dot(
            named[row["program"], row["configuration"]],
            text(row),
            row["median"],
            row["low"],
            row["high"],
            tuple(row["samples"]),
            parameter[1][place] if parameter else None,
            program_in_words(row["program"]),
        )
        for place, row in enumerate(members)
    ]
    caption = f"{caption}; a pale dot is one {per}.".strip()
    if parameter:
        return sweep(name, dots, parameter[0], title, unit, caption)
    whole = [row["median"] for row in members if not _switched(row)]
    if len(whole) == 1 and any("off" in _switched(row) for row in members):
        return ablation(name, _by_switch(members, dots), whole[0], title, unit, caption, like)
    return rows(name, sorted(dots, key=lambda dot: natural(dot.label)), title, unit, caption, like)


def _switched(row: dict) -> set[str]:
    """Whether a configuration says what is off or on."""
    return {"off", "on"} & set(Configuration(row["configuration"]).values)


def _by_switch(members: list[dict], dots: list[Dot]) -> dict[str, list[Dot]]:
    """The dots under what was switched, from the smallest up; no headings where nothing is alone on."""
    groups: dict[str, list[Dot]] = {}
    alone = any("on" in _switched(row) for row in members)
    for row, dot in sorted(zip(members, dots), key=lambda pair: pair[1].median):
        values = Configuration(row["configuration"]).values
        title = "alone on" if "on" in values else "alone off" if values.get("off", "all") != "all" else "all on, all off"
        groups.setdefault(title if alone else "", []).append(dot)
    order = ("", "all on, all off", "alone off", "alone on")
    return {title: groups[title] for title in order if title in groups}


def _bars(run: Run, options: ScenarioReport, members: list[dict], overheads: list[dict], text) -> dict[str, list[Bar]]:
    """Configuration -> a bar of each program, in the order in which they ran."""
    named = labels(run, members, options, programs=False)
    programs = list(dict.fromkeys(row["program"] for row in members))
    of_call = {(row["program"], row["configuration"]): row["median"] for row in overheads}
    groups: dict[str, list[Bar]] = {title: [] for title in sorted(named.values(), key=natural)}
    for row in sorted(members, key=lambda row: programs.index(row["program"])):
        key = (row["program"], row["configuration"])
        overhead, shown = of_call.get(key), text(row)
        if overhead is not None:
            shown += f" ({quantity(row['median'] - overhead, row['unit'], row['metric'])})"
        bar = Bar(program_in_words(row["program"]), shown, row["median"], row["low"], row["high"], overhead)
        groups[named[key]].append(bar)
    return groups


def _swept(run: Run, members: list[dict], options: ScenarioReport) -> tuple[str, list[float]] | None:
    """The one numeric parameter in which three or more configurations of one case differ, with its values."""
    ids = {row["configuration"] for row in members}
    if len(ids) < 3 or len({Configuration(one).case for one in ids}) > 1:
        return None
    parameters = [given(run, row, options) for row in members]
    differing = [key for key in parameters[0] if len({values.get(key) for values in parameters}) > 1]
    try:
        numbers = [float(values[differing[0]]) for values in parameters]
    except (ValueError, KeyError, IndexError):
        return None
    return (differing[0], numbers) if len(differing) == 1 and len(set(numbers)) == len(ids) else None
