"""What the training cases share: the first batch, the answers of a trainer, and timed calls with their call overhead."""

from collections.abc import Callable

import numpy as np

from peers import answers, mnist
from peers.interface import Framework
from peers.protocol import Parameters, Report
from peers.timing import measure

BATCH = 128
STEP_INCLUDES = "forward, loss, correct rows, backward, Adam's update; loss and correct rows read by the caller"


def first_batch(p: Parameters, model: str) -> tuple[np.ndarray, np.ndarray]:
    pixels, labels = mnist.split(p.data, "train", BATCH)
    return (mnist.flat(pixels) if model == "mlp" else mnist.scaled(pixels)), labels


def timed(p: Parameters, report: Report, identity: Callable, metric: str, call: Callable, items=1, **options) -> None:
    """Reports the metric and the call overhead: the time of `identity`, measured by the same loop."""
    timing = measure(call, repetitions=p.repetitions, **options)
    overhead = measure(identity, repetitions=p.repetitions)
    report.samples(metric, timing, items)
    report.samples("call_overhead", overhead, items)


def check_trainer(report: Report, trainer, expected, x, labels) -> None:
    """`trainer` has plain SGD, `expected` is assay's file of the model."""
    loss, gradients = trainer.gradients(x, labels)
    report.check(
        "loss equals assay's", answers.relative_error(np.ravel(loss), np.ravel(expected["loss"])), answers.ONE_STEP
    )
    report.check(
        "gradients equal assay's", answers.max_relative_error(gradients, expected, "gradient/"), answers.ONE_STEP
    )
    losses = [trainer.step(x, labels)[0] for _ in range(answers.SGD_STEPS)]
    report.check(
        "losses of 20 SGD steps equal assay's",
        answers.relative_error(losses, expected["sgd/losses"]),
        answers.AFTER_SGD,
    )
    expected = {name: value for name, value in expected.items() if name != "sgd/losses"}
    report.check(
        "weights after 20 SGD steps equal assay's",
        answers.max_relative_error(trainer.weights(), expected, "sgd/"),
        answers.AFTER_SGD,
    )


def step(p: Parameters, report: Report, framework: Framework, model: str, weights, mode: str) -> None:
    """Checks and times training steps on one batch."""
    x, labels = map(framework.tensor, first_batch(p, model))
    expected = answers.load(p.artifact(f"{model}_answers"))
    check_trainer(report, framework.trainer(model, weights, "sgd", mode), expected, x, labels)
    trainer = framework.trainer(model, weights, "adam", mode)
    first, last = trainer.step(x, labels)[0], [0.0]
    report.check(
        "first loss equals assay's", answers.relative_error([first], np.ravel(expected["loss"])), answers.ONE_STEP
    )
    report.choose("call includes", f"{STEP_INCLUDES}. {framework.steps[mode]}")

    def call():
        last[0] = trainer.step(x, labels)[0]

    timed(p, report, framework.identity(), "step_time", call, iterations=p.length("steps"), restore=trainer.restore)
    report.check("loss fell over the timed steps", last[0], first)
