"""The machine's state around a run: what the doctor found, and the readings with their units."""

from collections.abc import Callable

from plots.document import Run
from plots.format import NONE, count, number, plain_words, quantity, words
from plots.tables import Cell, Column, Table, row

TONES = {"unfit": "bad", "doubtful": "bad", "note": "open", "ok": "good"}
WORST_FIRST = ("unfit", "doubtful", "note", "ok")


def _moments(run: Run) -> list[tuple[str, dict]]:
    """(when, state): before the run, at each resumption, after it."""
    state = run["state"]
    resumed = state.get("resumed", [])
    found = [("before", state["before"])]
    found += [("resumed" if len(resumed) == 1 else f"resumed, {at}", one) for at, one in enumerate(resumed, 1)]
    return [*found, ("after", state["after"])]


def doctor(run: Run) -> Table:
    """A row a finding that is not ok, the worst first; equal ones of several moments share it."""
    gathered: dict[tuple[str, ...], list[str]] = {}
    fine: dict[str, None] = {}
    for when, state in _moments(run):
        for one in state.get("doctor", []):
            if one["verdict"] == "ok":
                fine[one["name"]] = None
            else:
                key = tuple(one[part] for part in ("name", "value", "verdict", "effect", "command"))
                gathered.setdefault(key, []).append(when)
    order = {verdict: place for place, verdict in enumerate(WORST_FIRST)}
    lines = [
        row(name, value, Cell(verdict, tone=TONES.get(verdict, "")), effect or NONE, ", ".join(when))
        for (name, value, verdict, effect, _), when in sorted(
            gathered.items(), key=lambda item: order.get(item[0][2], len(order))
        )
    ]
    quiet = [name for name in fine if name not in {key[0] for key in gathered}]
    note = f"{count(len(quiet), 'further finding')} always ok: {', '.join(quiet)}. " if quiet else ""
    return Table(
        "What the doctor found",
        [Column("Property"), Column("Found"), Column("Fitness"), Column("Effect on measurements"), Column("When")],
        lines,
        note + "./assay doctor says how to change each of them.",
    )


def _share(value: float) -> str:
    return f"{number(value * 100, 2)} %"


def _load(value: list) -> str:
    return ", ".join(
        f"{number(one, 2)} ({minutes} min)" for one, minutes in zip(value, (1, 5, 15), strict=False)
    )


def _processes(value: list) -> str:
    return ", ".join(f"{one['name']} ({one['pid']}) {_share(one['cores'])} of a core" for one in value) or "none"


READINGS: dict[str, Callable] = {
    "steal_share": _share,
    "cpu_busy_share": _share,
    "load_limit": _share,
    "load_average": _load,
    "busy_processes": _processes,
    "swap_used_bytes": lambda value: quantity(value, "byte"),
    "aslr": lambda value: f"{value} (full)" if value == 2 else str(value),
    "thermal_throttles": lambda value: f"{number(value)} since boot",
}
NAMES = {
    "steal_share": "processor time that others on the host took",
    "cpu_busy_share": "processor time in use, this run asleep",
    "load_limit": "processor time in use that makes the machine unfit",
    "busy_processes": "busy processes",
    "swap_used_bytes": "swap in use",
    "aslr": "address randomisation",
    "smt": "SMT",
    "thermal_throttles": "thermal throttling",
}


def _reading(state: dict, name: str) -> Cell:
    value = state.get(name)
    if value is None:
        why = state.get("unreadable", {}).get(name, "")
        return Cell(NONE, note=f"not readable: {why}" if why else "")
    try:
        return Cell(READINGS[name](value) if name in READINGS else plain_words(value))
    except (TypeError, KeyError, ValueError):  # of another version
        return Cell(plain_words(value))


def state(run: Run) -> Table:
    """Every reading but the doctor's list, which has the environment too, a column a moment."""
    moments = [(when, one) for when, one in _moments(run) if one]
    names = dict.fromkeys(name for _, one in moments for name in one if name not in ("doctor", "environment", "unreadable"))
    lines = [row(NAMES.get(name, words(name)), *(_reading(one, name) for _, one in moments)) for name in names]
    columns = [Column("Reading"), *(Column(when.capitalize()) for when, _ in moments)]
    return Table("State before and after the run", columns, lines)
