"""Configurations in words, for figures and headings: no more of each than tells it from its neighbours."""

from plots.document import Configuration, Run
from plots.format import count, words
from plots.scenario_report import ScenarioReport


def given(run: Run, row: dict, options: ScenarioReport) -> dict[str, str]:
    """The parameters of a row's configuration, defaults included as far as they are known."""
    configuration = row["configuration"]
    known = {**options.defaults, **run.parameters_of.get(configuration, {}), **Configuration(configuration).values}
    return {key: str(value) for key, value in known.items()}


def value_in_words(key: str, value: str) -> str:
    """`threads=all` is all threads, `batch=8` is batch 8, `mode=eager` is eager."""
    if key == "off":
        return f"{value} off"
    if key == "on":
        return f"only {value.replace('+', ', ')} on"
    if key == "threads":
        return count(int(value), "thread") if value.isdigit() else f"{value} threads"
    if value in ("on", "off", "yes", "no"):
        return f"{words(key)} {value}"
    return f"{words(key)} {value}" if value.replace(".", "", 1).isdigit() else words(value)


def program_in_words(program: str) -> str:
    """`tensorflow{onednn=off}` is tensorflow, onednn off."""
    configuration = Configuration(program)
    return ", ".join([configuration.case, *(value_in_words(*pair) for pair in configuration.values.items())])


def labels(run: Run, rows: list[dict], options: ScenarioReport, programs: bool = True) -> dict[tuple[str, str], str]:
    """(program, configuration) -> label. The case is named where several stand together, a parameter where it differs
    among the configurations of its case, the program where several ran."""
    cases: dict[str, list[dict]] = {}
    for row in rows:
        cases.setdefault(Configuration(row["configuration"]).case, []).append(row)
    several = programs and len({row["program"] for row in rows}) > 1
    found = {}
    for case, members in cases.items():
        parameters = [given(run, row, options) for row in members]
        differing = [
            key
            for key in dict.fromkeys(key for one in parameters for key in one)
            if len({one.get(key) for one in parameters}) > 1
        ]
        for row, one in zip(members, parameters):
            parts = [value_in_words(key, one[key]) for key in differing if key in one]
            if "off" in differing and not {"off", "on"} & set(one):
                parts.append("all on")
            if len(cases) > 1 or not parts:
                parts = [options.name(case.split(".", 1)[-1]), *parts]
            if several:
                parts = [program_in_words(row["program"]), *parts]
            found[row["program"], row["configuration"]] = ", ".join(parts)
    return found
