"""Precision: whether lower precision pays here, and whether the published slow-down appears."""

from statistics import median

from plots.document import Configuration, Run
from plots.format import number, quantity
from plots.labels import program_in_words
from plots.tables import Cell, Column, Table, row
from plots.scenario_report import ScenarioReport

PUBLISHED = 40.65  # mixed float16 over float32, TensorFlow with oneDNN's kernels off, 8 cores
REPRODUCED = 1.5  # within this factor of it
PAYS = 1.2  # what fusing should gain at least
NO_PRODUCT = 0.01  # less of the arithmetic than this is sums and masks


def _steps(run: Run, scenario: str) -> dict[tuple[str, str], dict[str, float]]:
    """(program, what is set besides the policy) -> policy -> median time of a step."""
    times: dict[tuple[str, str], dict[str, list[float]]] = {}
    for process, event in run.events(scenario, "samples"):
        one = Configuration(process["configuration"])
        known = [value for value in event["values"] if value is not None]
        if event["metric"] != "step_time" or one.case != "precision.step" or not known:
            continue
        values = dict(one.values)
        policy = values.pop("policy", "float32")
        rest = ", ".join(f"{key}={value}" for key, value in sorted(values.items()))
        times.setdefault((process["program"], rest), {}).setdefault(policy, []).append(median(known))
    return {key: {policy: median(found) for policy, found in of.items()} for key, of in times.items()}


def _emulated(run: Run, scenario: str) -> dict[tuple[str, str], float]:
    """(program, what is set besides the policy) -> share of mixed float16's arithmetic that is emulated."""
    shares = {}
    for process, event in run.events(scenario, "value"):
        one = Configuration(process["configuration"])
        values = dict(one.values)
        if event["metric"] == "emulated_share" and values.pop("policy", "") == "mixed_float16" and one.case == "precision.step":
            shares[process["program"], ", ".join(f"{k}={v}" for k, v in sorted(values.items()))] = event["value"]
    return shares


def in_words(ratio: float, emulated: float | None) -> str:
    """Whether the published slow-down appears at this ratio, and how much of the arithmetic is emulated."""
    if PUBLISHED / REPRODUCED <= ratio <= PUBLISHED * REPRODUCED:
        verdict = "It appears."
    elif ratio > PUBLISHED:
        verdict = f"It appears, and it is {number(ratio / PUBLISHED)} times larger here."
    elif ratio > 1:
        verdict = f"Mixed float16 is slower here, too, but the slow-down is {number(PUBLISHED / ratio)} times smaller."
    else:
        verdict = "It does not appear: mixed float16 is not slower here."
    if emulated is None:
        return verdict + " The program does not report whether its float16 kernels are native."
    if emulated < NO_PRODUCT:
        return verdict + " Every product has native float16 instructions on this CPU."
    return (
        f"{verdict} {quantity(emulated, 'share')} of the arithmetic is emulated: operands are widened to float32, a float32 kernel "
        "runs, and results are rounded. This run cannot explain the published time, which comes from another CPU and from "
        "TensorFlow with its oneDNN kernels off. `./assay reproduce 5` runs TensorFlow here, with these kernels off and on."
    )


PARTS = ("single", "fused", "kernels")  # of what a step took: by itself, in a call of several, its kernels alone


def _fused(run: Run, scenario: str) -> dict[tuple[str, int], dict[str, float]]:
    """(program, rows a batch) -> medians of `single`, `fused` and, of the kernels of a single step alone, `kernels`."""
    times: dict[tuple[str, int], dict[str, list[float]]] = {}
    for kind, metric in (("samples", "step_time"), ("value", "kernel_time")):
        for process, event in run.events(scenario, kind):
            one = Configuration(process["configuration"])
            if one.case != "precision.fuse" or event["metric"] != metric:
                continue
            fused = one.values.get("steps", "1") != "1"
            if metric == "kernel_time" and fused:
                continue
            known = [v for v in event.get("values", [event.get("value")]) if v is not None]
            name = "kernels" if metric == "kernel_time" else "fused" if fused else "single"
            of = times.setdefault((process["program"], int(one.values.get("batch", REPORT.defaults["batch"]))), {})
            of.setdefault(name, []).extend([median(known)] if known else [])
    return {key: {name: median(found) for name, found in of.items() if found} for key, of in sorted(times.items())}


def fusing_in_words(single: float, fused: float, kernels: float) -> str:
    """What one call for several steps saves, and how much it could save: the time of a step outside its kernels."""
    left, saved = max(0.0, 1 - kernels / single), 1 - fused / single
    text = f"A single step spends {quantity(left, 'share')} of its time outside its kernels. Fusing could save that much"
    text += f", and it saves {quantity(saved, 'share')}." if saved > 0 else ", and it saves nothing."
    return text + (" A speed-up of 1.2 is out of reach here." if left < 1 - 1 / PAYS else "")


def _fusing_table(run: Run, scenario: str) -> list[Table]:
    lines = [
        row(
            program_in_words(program),
            number(batch),
            *(quantity(times[name], "ns") for name in PARTS),
            Cell(fusing_in_words(times["single"], times["fused"], times["kernels"])),
        )
        for (program, batch), times in _fused(run, scenario).items()
        if len(times) == len(PARTS)
    ]
    if not lines:
        return []
    titles = ("Batch", "A single step", "Of 16 in one call", "Kernels alone")
    columns = [Column("Program"), *(Column(title, number=True) for title in titles), Column("In words")]
    note = "Medians over processes. Each kernel is timed by itself, with the time that reading the clock takes. The verdicts come from the paired rounds."
    return [Table("What several steps in one call can save", columns, lines, note)]


def tables(run: Run, scenario: str) -> list[Table]:
    return _slow_down_table(run, scenario) + _fusing_table(run, scenario)


def _slow_down_table(run: Run, scenario: str) -> list[Table]:
    shares = _emulated(run, scenario)
    lines = []
    for (program, rest), times in _steps(run, scenario).items():
        if {"float32", "mixed_float16"} <= times.keys():
            ratio = times["mixed_float16"] / times["float32"]
            lines.append(
                row(
                    program_in_words(program) + (f", {rest}" if rest else ""),
                    quantity(times["float32"], "ns"),
                    quantity(times["mixed_float16"], "ns"),
                    number(ratio),
                    Cell(in_words(ratio, shares.get((program, rest)))),
                )
            )
    if not lines:
        return []
    columns = [
        Column("Program"),
        Column("float32 step", number=True),
        Column("mixed float16 step", number=True),
        Column("Ratio", number=True),
        Column("In words"),
    ]
    note = "Published: 40.65 (769.21 ms against 18.92 ms). Medians over processes. The verdicts come from the paired rounds."
    return [Table("Does the published slow-down of 40.65x appear here?", columns, lines, note)]


REPORT = ScenarioReport(
    title="Precision",
    defaults={"policy": "float32", "kernels": "onednn", "batch": "8", "steps": "1"},
    names={
        "step_time": "time of a training step",
        "call_time": "time of a call",
        "training loss": "mean loss",
        "emulated_share": "share of the arithmetic that is emulated",
        "kernel_time": "kernels of a step, each timed by itself",
        "update_time": "the update's kernels among them",
        "dispatches_a_step": "calls of the plan a step",
        "activation_bytes": "activations and gradients (arena)",
        "bfloat16 over float32": "bfloat16 / float32",
        "float16 over float32": "float16 / float32",
        "float64 over float32": "float64 / float32",
    },
    captions={
        "step_time": "One training step of the convnet under each policy, or of the MLP with one step a call and with 16 steps in "
        "one call. The time of an emulated format says nothing about the format's speed.",
        "call_time": "One call of the convnet on a batch of 128. Weights are kept in the policy's type.",
        "accuracy": "Accuracy on the test rows after 3 epochs. Each dot is one seed.",
        "loss scale": "The loss scale over the steps of an epoch. It doubles after 2,000 clean steps, more than a short training has.",
        "loss scale, growing every 3 clean steps": "The loss scale when it doubles after 3 clean steps. It grows until gradients leave float16's range. Then a step "
        "is skipped and the scale is halved.",
        "bfloat16 over float32": "Time of a square product in bfloat16 / in float32, by its side. Below 1 the format pays.",
        "float16 over float32": "Time of a square product in float16 / in float32, by its side. Below 1 the format pays.",
    },
    first=("step_time", "bfloat16 over float32", "accuracy", "loss scale", "call_time"),
    tables=tables,
    notes=(
        "A policy says in which type layers compute and in which type they keep weights. Under a mixed policy weights stay float32 and "
        "are cast once a step. The last layer and the loss are float32. Formats without instructions on this CPU are emulated, and each "
        "result says so (“formats” under “Choices”). float8 saturates at the format's largest value; infinities and NaN stay visible.",
    ),
)
