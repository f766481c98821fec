"""Tracing: what leaving it off costs, and what tracing itself costs."""

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
        "call_time": "The same model called in different ways. The table “Choices” says what each call includes.",
        "sample_time": "Inference time divided by the batch. If a sample cost only its arithmetic, the line would be flat.",
        "accuracy": "Accuracy on the test rows after training. Each dot is one seed. fit keeps the last short batch, the hand-written loop drops it.",
        "training loss": "Mean training loss of each epoch. A pale line is one seed; the strong line is their median.",
        "eager over traced": "What leaving tracing off costs, by batch size. Dispatch is a larger share of a smaller step. The curve is measured in "
        "one process and shows the shape; the verdict comes from the paired processes.",
        "eager step": "A training step run operation by operation, by size of the batch (one process).",
        "traced step": "The same step replayed as a plan (one process).",
        "accuracy of each batch": "Accuracy of each batch of 512 test rows. The last batch has fewer rows and counts as much in a mean of means.",
    },
    first=("step_time", "eager over traced", "call_time", "sample_time", "accuracy", "training loss"),
    notes=(
        "The table “Measured once” shows what tracing costs once: the trace time, the retraces, and the number of calls after which "
        "it has paid for itself.",
    ),
)
