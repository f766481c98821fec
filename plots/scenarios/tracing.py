"""Tracing: what leaving it off costs, and what it costs itself."""

from plots.scenario_report import ScenarioReport

REPORT = ScenarioReport(
    title="Tracing",
    defaults={"batch": "1", "mode": "traced"},
    names={
        "step_time": "time of a training step",
        "call_time": "time of a call",
        "sample_time": "time of a sample",
        "training loss": "mean loss",
        "eager over traced": "eager step / traced step",
    },
    captions={
        "step_time": "One training step: forward, backward and update, on one batch.",
        "call_time": "The same model called in different ways. What each call includes stands under “choices”.",
        "sample_time": "Inference time divided by the batch. Were the cost of a sample its arithmetic alone, "
        "the line would be flat.",
        "accuracy": "Accuracy on the test rows after training, one seed a dot: fit keeps the last short batch, the hand-written loop drops it.",
        "training loss": "Mean training loss of each epoch; a pale line is one seed, the strong one their median.",
        "eager over traced": "What leaving tracing off costs, by size of the batch: dispatch is a larger share of a smaller step. "
        "Measured in one process, for the shape; the verdict comes from the paired processes above.",
        "eager step": "A training step run operation by operation, by size of the batch (one process).",
        "traced step": "The same step replayed as a plan (one process).",
        "accuracy of each batch": "Accuracy of each batch of 512 test rows; the last has fewer, and counts as much in a mean of means.",
    },
    first=("step_time", "eager over traced", "call_time", "sample_time", "accuracy", "training loss"),
    notes=(
        "What tracing costs once (trace time, retraces, the number of calls after which it has paid for itself) "
        "stands in the table “Measured once”, apart from the steady times.",
    ),
)
