"""The machine: its limits, and what starting something costs."""

from plots.figures.style import file_name
from plots.figures.value_plots import Dot, bars, rows
from plots.format import quantity
from plots.labels import labels
from plots.scenario_report import ScenarioReport

PEAK_SHARES = ("matmul_share",)


def _once(run, scenario: str, wanted) -> list[dict]:
    return [row for row in run.values(scenario) if row["median"] is not None and wanted(row)]


def _costs(run, scenario: str) -> list:
    costs = sorted(_once(run, scenario, lambda row: row["unit"] == "ns"), key=lambda row: row["median"])
    if len(costs) < 2:
        return []
    several = len({row["program"] for row in costs}) > 1
    dots = [
        Dot(
            (f"{row['program']}: " if several else "") + REPORT.name(row["metric"]),
            quantity(row["median"], "ns"),
            row["median"],
            row["low"],
            row["high"],
            tuple(row["samples"]) if len(row["samples"]) > 1 else (),
        )
        for row in costs
    ]
    caption = "What starting something costs. A kernel or a task that is much shorter is not worth starting."
    return [rows(file_name(f"{scenario}-costs"), dots, "time of one", "ns", caption)]


def _shares(run, scenario: str) -> list:
    shares = _once(run, scenario, lambda row: row["metric"] in PEAK_SHARES)
    if len(shares) < 2:
        return []
    named = labels(run, shares, REPORT)
    return [
        bars(
            file_name(f"{scenario}-shares"),
            [named[row["program"], row["configuration"]] for row in shares],
            [("reached", [row["median"] * 100 for row in shares])],
            "share of the multiply-add rate",
            "%",
            "The rate of the float32 matrix product as a share of the rate that multiply-adds reach without touching "
            "memory. The dashed line is all of it.",
            [[quantity(row["median"], row["unit"], row["metric"]) for row in shares]],
            end=100,
        )
    ]


def extra(run, scenario: str) -> list:
    """Costs of starting something on one axis, and shares of the multiply-add rate against all of it."""
    return _costs(run, scenario) + _shares(run, scenario)


REPORT = ScenarioReport(
    title="The machine's limits",
    captions={
        "rate": "The highest rate of each type in a large matrix product. A type without a native kernel "
        "is missing; the table says why.",
        "read": "Read bandwidth by size of the data. Each step down is the end of a cache.",
        "copy": "Copy bandwidth (bytes read plus bytes written) by size of the data.",
        "triad": "Bandwidth of a[i] = b[i] + s · c[i] (bytes read plus bytes written) by size of the data.",
        "rate_by_threads": "The highest rate of each type on 1 to N threads. A type without a native kernel is "
        "missing; the table says why.",
        "bandwidth_by_size": "Bandwidth by size of the data. Each step down is the end of a cache.",
    },
    defaults={"dtype": "float32", "threads": "1"},
    grids=("rate",),
    names={
        "rate": "rate of a matrix product",
        "read": "read bandwidth",
        "copy": "copy bandwidth",
        "triad": "triad bandwidth",
        "rate_by_threads": "rate",
        "bandwidth_by_size": "bandwidth",
        "held_kernel": "a prepared kernel that adds 8 numbers",
        "prepare_again": "preparing that kernel",
        "eager_call": "an eager operation",
        "traced_call": "a replay of a recorded function",
        "fork_join": "fork and join of the threads",
        "start": "start and end of a process",
        "matmul_share": "share of the multiply-add rate that a matrix product reaches",
        "multiply_add_rate": "rate of multiply-adds",
        "multiply_add_units": "multiply-add units of a core kept busy",
        "clock": "clock",
        **{
            f"{place}_{walk}": f"{walk}, {where}"
            for place, where in (("l1", "L1 cache"), ("l2", "L2 cache"), ("largest", "largest set"))
            for walk in ("read", "copy", "triad")
        },
    },
    first=("rate", "rate_by_threads", "read", "copy", "triad", "bandwidth_by_size"),
    extra=extra,
)
