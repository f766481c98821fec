"""The cases of scenario `precision`, for frameworks with policies."""

import numpy as np

from peers import answers, mnist
from peers.cases.training import BATCH, timed
from peers.interface import Framework
from peers.protocol import Parameters, Report

# Relative limits for the first loss against assay's in float32: other orders of summation, or roundings to 11 and 8 bits.
LOSS_LIMITS = {"float32": answers.ONE_STEP, "float64": answers.ONE_STEP, "mixed_float16": 2e-3, "mixed_bfloat16": 1e-2}


def step(p: Parameters, report: Report, framework: Framework) -> None:
    policy = p.values["policy"]
    pixels, labels = mnist.split(p.data, "train", BATCH)
    x, labels = framework.tensor(mnist.scaled(pixels)), framework.tensor(labels)
    weights = answers.load(p.artifact("convnet"))
    trainer = framework.trainer("convnet", weights, "adam", framework.policy_mode, policy)
    first, last = trainer.step(x, labels)[0], [0.0]
    expected = answers.load(p.artifact("convnet_answers"))["loss"]
    error = answers.relative_error([first], np.ravel(expected))
    report.check("first loss equals assay's in float32", error, LOSS_LIMITS[policy])
    report.choose(
        "call includes",
        "forward, loss, correct rows, backward, Adam's update, under float16 a scaled loss; loss and correct rows read by the "
        f"caller. {framework.policies[policy]}",
    )

    def call():
        last[0] = trainer.step(x, labels)[0]

    timed(p, report, framework.identity(), "step_time", call, iterations=p.length("steps"), restore=trainer.restore)
    report.check("loss fell over the timed steps", last[0], first)


def fit(p: Parameters, report: Report, framework: Framework) -> None:
    pixels, labels = mnist.split(p.data, "train", p.length("rows"))
    test_pixels, expected = mnist.split(p.data, "t10k", p.length("test_rows"))
    epochs, weights = p.length("epochs"), answers.load(p.artifact("weights"))
    losses, steps, logits = framework.fit_convnet(
        weights, mnist.scaled(pixels), labels, mnist.scaled(test_pixels), epochs, BATCH, p.values["policy"], p.seed
    )
    predicted = np.argmax(logits, axis=1)
    # Frameworks differ in whether a step that a scaled loss skips counts.
    report.check("steps as the protocol counts them", abs(steps - epochs * -(-len(labels) // BATCH)), 3)
    report.check("the loss fell by half or more", losses[-1] / losses[0], 0.5)
    report.value("accuracy", "", "higher", np.mean(predicted == expected))
    report.value("updates", "", "", steps)
    report.series("training loss", ("epoch", "", list(range(1, len(losses) + 1))), ("mean loss", "", losses))
    report.predictions("test rows", predicted, expected)


CASES = {"precision.step": step, "precision.fit": fit}
