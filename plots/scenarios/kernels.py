"""The engine's operations: the time of each and its share of the machine's roofs."""

from dataclasses import dataclass
from statistics import median

from plots.document import Configuration, Run
from plots.figures.roofline import Point, Roof, roofline
from plots.figures.style import Drawing, file_name
from plots.format import number, quantity
from plots.labels import program_in_words
from plots.tables import Cell, Column, Table, code, row
from plots.scenario_report import ScenarioReport


@dataclass(frozen=True)
class Kernel:
    """One operation on one size, as the event `choice` and the samples of its name say it."""

    program: str
    configuration: str
    operation: str
    size: str
    name: str
    threads: int
    fallbacks: tuple[str, ...]
    flops: float
    bytes: float
    footprint: float
    peak: float  # GFLOP/s
    bandwidth: float  # GB/s
    time: float  # ns

    @property
    def flop_rate(self) -> float:
        return self.flops / self.time

    @property
    def byte_rate(self) -> float:
        return self.bytes / self.time

    @property
    def shares(self) -> tuple[float, float]:
        return self.flop_rate / self.peak, self.byte_rate / self.bandwidth


def is_one_size(name: str) -> bool:
    """Whether a metric or choice belongs to one size (OPERATION/SIZE…). The tables here show these."""
    return "/" in name


def kernels(run: Run, scenario: str) -> list[Kernel]:
    times = {
        (process["program"], process["configuration"], event["metric"]): median(known)
        for process, event in run.events(scenario, "samples")
        if (known := [value for value in event["values"] if value is not None])
    }
    found = []
    for process, event in run.events(scenario, "choice"):
        place, value = (process["program"], process["configuration"]), event.get("value")
        if (*place, event["name"]) in times and isinstance(value, dict) and "kernel" in value:
            found.append(
                Kernel(
                    *place,
                    value["operation"],
                    value["size"],
                    value["kernel"],
                    value["threads"],
                    tuple(value["fallbacks"]),
                    *(value[key] for key in ("flops", "bytes", "footprint", "peak", "bandwidth")),
                    times[*place, event["name"]],
                )
            )
    return found


def _title(run: Run, program: str, configuration: str) -> str:
    one = Configuration(configuration)
    title = one.case.split(".", 1)[1] + (" without oneDNN" if one.values.get("onednn") == "off" else "")
    return title if len(run.program_names) == 1 else f"{program_in_words(program)}: {title}"


def tables(run: Run, scenario: str) -> list[Table]:
    """One table for each configuration: its sizes, and the reason for each size without numbers."""
    made = []
    everything = kernels(run, scenario)
    for process in run.used(scenario):
        place = (process["program"], process["configuration"])
        members = [kernel for kernel in everything if (kernel.program, kernel.configuration) == place]
        missing = [
            event["value"]
            for other, event in run.events(scenario, "choice")
            if other is process and is_one_size(event["name"]) and "reason" in event["value"]
        ]
        if members or missing:
            made.append(_table(_title(run, *place), members, missing))
    return made


def _table(title: str, members: list[Kernel], missing: list[dict]) -> Table:
    declined = bool(members) and all(kernel.fallbacks for kernel in members)
    lines = []
    order = {kernel.operation: place for place, kernel in reversed(list(enumerate(members)))}
    for kernel in sorted(members, key=lambda kernel: order[kernel.operation]):
        peak, bandwidth = kernel.shares
        lines.append(
            row(
                code(kernel.operation),
                kernel.size.replace("x", "×"),
                quantity(kernel.time, "ns"),
                number(kernel.flop_rate),
                number(kernel.byte_rate),
                quantity(max(peak, bandwidth), "share"),
                "peak" if peak > bandwidth else "bandwidth",
                Cell(kernel.name, code=True, note="" if declined else "; ".join(kernel.fallbacks)),
                str(kernel.threads),
            )
        )
    for size in missing:
        lines.append(row(code(size["operation"]), size["size"].replace("x", "×"), *["–"] * 5, Cell(size["reason"]), "–"))
    return Table(
        f"Kernels: {title}",
        [
            Column("Operation"),
            Column("Size"),
            Column("Time", number=True),
            Column("GFLOP/s", number=True),
            Column("GB/s", number=True),
            Column("Of the roof", number=True),
            Column("Which"),
            Column("Kernel"),
            Column("Threads", number=True),
        ],
        lines,
        "Of the roof: rate / min(peak, intensity × bandwidth). Both roofs are measured in turns with the kernel, on its threads and over as "
        "many bytes." + (" oneDNN has no kernel for these, or is off." if declined else ""),
    )


def _roofs(members: list[Kernel]) -> list[Roof]:
    """Of the whole team: the peak, the fastest bandwidth and that of the largest sets; and the peak of one thread."""
    threads = max(kernel.threads for kernel in members)
    team = [kernel for kernel in members if kernel.threads == threads]
    largest = max(kernel.footprint for kernel in team)
    far = median(kernel.bandwidth for kernel in team if kernel.footprint >= largest / 2)
    near, peak = max(kernel.bandwidth for kernel in team), max(kernel.peak for kernel in team)
    roofs = [
        Roof(f"peak, {quantity(peak * 1e9, 'FLOP/s')}", peak * 1e9, False),
        Roof(f"fastest cache, {quantity(near * 1e9, 'B/s')}", near * 1e9, True),
        Roof(f"{quantity(largest, 'byte')}, {quantity(far * 1e9, 'B/s')}", far * 1e9, True),
    ]
    alone = [kernel.peak for kernel in members if kernel.threads == 1]
    if threads > 1 and alone:
        roofs.append(Roof(f"1 thread, {quantity(max(alone) * 1e9, 'FLOP/s')}", max(alone) * 1e9, False, False))
    return roofs


def figures(run: Run, scenario: str) -> list[Drawing]:
    """A roofline for each program, with oneDNN and without."""
    drawn = []
    gathered: dict[tuple[str, bool], list[Kernel]] = {}
    for kernel in kernels(run, scenario):
        off = Configuration(kernel.configuration).values.get("onednn") == "off"
        gathered.setdefault((kernel.program, off), []).append(kernel)
    for (program, off), members in gathered.items():
        points = [_point(kernel, max(one.threads for one in members)) for kernel in members if kernel.flops > 0]
        if not points:
            continue
        parts = [scenario, *([program] if len(run.program_names) > 1 else []), "roofline", *(["off"] if off else [])]
        who = f"{program_in_words(program)}: " if len(run.program_names) > 1 else ""
        caption = (
            f"{who}Every operation and size{' without oneDNN' if off else ''} under the roofs of this machine. "
            "Under a slanted roof the limit is bandwidth, under the flat roof it is arithmetic. A hollow mark ran on one thread. Data that "
            "fits in a cache may lie above the lowest roof. Operations without arithmetic are not shown."
        )
        drawn.append(roofline(file_name("-".join(parts)), points, _roofs(members), caption))
    return drawn


def _point(kernel: Kernel, threads: int) -> Point:
    return Point(
        Configuration(kernel.configuration).case.split(".", 1)[1],
        f"{kernel.operation} {kernel.size}",
        kernel.flops / kernel.bytes,
        kernel.flop_rate * 1e9,
        kernel.threads == threads,
        max(kernel.shares),
    )


REPORT = ScenarioReport(
    title="The engine's operations",
    defaults={"onednn": "on"},
    names={
        "median_share": "median share of the roof",
        "declined": "sizes that the first back end declined",
    },
    extra=figures,
    tables=tables,
    own=is_one_size,
)
