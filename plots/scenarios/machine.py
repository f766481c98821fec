"""The machine: what it can do at most, and what starting something costs."""

from plots.figures.style import file_name
from plots.figures.values import Dot, bars, rows
from plots.format import quantity
from plots.scenarios.touch import Touch

PEAK_SHARES = ("matmul_share", "share_of_peak")


def _once(run, scenario: str, wanted) -> list[dict]:
    return [row for row in run.values(scenario) if row["median"] is not None and wanted(row)]


def _label(run, row: dict) -> str:
    return f"{run.label(row)}: {row['metric'].replace('_', ' ')}"


def extra(run, scenario: str) -> list:
    """Costs of starting something on one axis, and shares of the theoretical peak against all of it."""
    drawings = []
    costs = _once(run, scenario, lambda row: row["unit"] == "ns")
    if len(costs) > 1:
        dots = [
            Dot(
                _label(run, row),
                quantity(row["median"], "ns"),
                row["median"],
                row["low"],
                row["high"],
                tuple(row["samples"]) if len(row["samples"]) > 1 else (),
            )
            for row in costs
        ]
        drawings.append(
            rows(
                file_name(f"{scenario}-costs"),
                sorted(dots, key=lambda dot: dot.median),
                "time",
                "ns",
                "What starting something costs. A kernel or a task much shorter than this is not worth starting.",
            )
        )
    shares = _once(run, scenario, lambda row: row["metric"] in PEAK_SHARES)
    if len(shares) > 1:
        drawings.append(
            bars(
                file_name(f"{scenario}-shares"),
                [run.label(row) for row in shares],
                [("reached", [row["median"] * 100 for row in shares])],
                "share of the theoretical peak",
                "%",
                "How much of the theoretical peak the best kernel reaches.",
                [[quantity(row["median"], row["unit"], row["metric"]) for row in shares]],
            )
        )
    return drawings


TOUCH = Touch(
    title="The machine's limits",
    captions={
        "rate": "The highest rate of each type in a large matrix product. A type without a native kernel "
        "is missing here; the table says why.",
        "read": "Reading, over the size of the data: each step down is the end of a cache.",
        "copy": "Copying, bytes read plus bytes written.",
        "triad": "a[i] = b[i] + s * c[i], bytes read plus bytes written.",
        "rate_by_threads": "The highest rate of each type on 1 to N threads. A type without a native kernel is "
        "missing here; the table says why.",
        "bandwidth_by_size": "Bandwidth over the size of the data that is touched: each step down is the end of a "
        "cache.",
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
    },
    first=("rate", "rate_by_threads", "read", "copy", "triad", "bandwidth_by_size"),
    extra=extra,
)
