"""Tracing: what leaving it off costs, and what it costs itself."""

from plots.scenarios.touch import Touch

TOUCH = Touch(
    title="Tracing",
    defaults={"batch": "1", "mode": "traced"},
    names={
        "step_time": "time of a training step",
        "call_time": "time of a call",
        "sample_time": "time of a sample",
        "accuracy_by_epoch": "accuracy",
        "loss_by_epoch": "loss",
    },
    captions={
        "step_time": "One training step: forward, backward and update, on one batch.",
        "call_time": "The same model called in different ways. What each call includes stands under “choices”.",
        "sample_time": "Inference time divided by the batch. Were the cost of a sample its arithmetic alone, "
        "the line would be flat.",
        "accuracy_by_epoch": "Accuracy on the test rows after each epoch; a pale line is one seed, the strong one "
        "their median.",
        "loss_by_epoch": "Training loss of each epoch; a pale line is one seed, the strong one their median.",
    },
    first=("step_time", "call_time", "sample_time", "accuracy", "accuracy_by_epoch"),
    notes=(
        "What tracing costs once (trace time, retraces, the number of calls after which it has paid for itself) "
        "stands in the table “Measured once”, apart from the steady times.",
    ),
)
