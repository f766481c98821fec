"""The cases of scenario `tracing`: what the published section 2 compares."""

import statistics
import time

import numpy as np

from peers import answers, mnist
from peers.cases.models import serving
from peers.cases.training import BATCH, first_batch, step, timed
from peers.interface import Framework
from peers.protocol import Parameters, Report
from peers.timing import measure


def tracing_step(p: Parameters, report: Report, framework: Framework) -> None:
    step(p, report, framework, "mlp", answers.load(p.artifact("weights")), p.values["mode"])


def tracing_call(p: Parameters, report: Report, framework: Framework) -> None:
    way = p.values["way"]
    pixels, labels = mnist.split(p.data, "train", BATCH)
    weights, expected = answers.load(p.artifact("weights")), answers.load(p.artifact("mlp_answers"))
    call = framework.caller("mlp", weights, way)
    logits = np.asarray(framework.array(call(framework.tensor(mnist.flat(pixels)))), np.float64)
    # assay's file holds the mean cross-entropy of the batch, so that is compared instead of the outputs.
    shifted = logits - logits.max(axis=1, keepdims=True)
    loss = float(np.mean(np.log(np.exp(shifted).sum(axis=1)) - shifted[np.arange(BATCH), labels]))
    report.check("loss equals assay's", answers.relative_error([loss], np.ravel(expected["loss"])), answers.ONE_STEP)
    report.choose("call includes", framework.calls[way])
    x = framework.tensor(mnist.flat(pixels[:1]))
    timed(p, report, framework.identity(way), "call_time", lambda: call(x))


def tracing_batch(p: Parameters, report: Report, framework: Framework) -> None:
    serving(p, report, framework, answers.load(p.artifact("weights")), framework.batch_way, "sample_time", True)


def _sets(p: Parameters):
    x, labels = mnist.split(p.data, "train", p.length("rows"))
    test_x, test_labels = mnist.split(p.data, "t10k", p.length("test_rows"))
    return mnist.flat(x), labels, mnist.flat(test_x), test_labels


def _conclude(p: Parameters, report: Report, framework, weights, losses, steps: int, expected_steps: int, sets) -> None:
    _, _, test_x, test_labels = sets
    logits = framework.array(framework.caller("mlp", weights, "traced")(framework.tensor(test_x)))
    predicted = np.argmax(logits, axis=1)
    report.check("updates as the protocol counts them", abs(steps - expected_steps), 0)
    report.check("the loss fell by half or more", losses[-1] / losses[0], 0.5)
    report.value("accuracy", "", "higher", np.mean(predicted == test_labels))
    report.value("updates", "", "", steps)
    report.series("training loss", ("epoch", "", list(range(1, len(losses) + 1))), ("mean loss", "", losses))
    report.predictions("test rows", predicted, test_labels)
    path = p.out / "trained.safetensors"
    answers.save(path, weights)
    report.artifact("trained", path)


def tracing_fit(p: Parameters, report: Report, framework: Framework) -> None:
    sets, epochs = _sets(p), p.length("epochs")
    losses, steps, weights = framework.fit(answers.load(p.artifact("weights")), sets[0], sets[1], epochs, BATCH)
    _conclude(p, report, framework, weights, losses, steps, epochs * -(-len(sets[0]) // BATCH), sets)


def tracing_loop(p: Parameters, report: Report, framework: Framework) -> None:
    sets, epochs = _sets(p), p.length("epochs")
    batches = [
        (framework.tensor(sets[0][i : i + BATCH]), framework.tensor(sets[1][i : i + BATCH]))
        for i in range(0, len(sets[0]) // BATCH * BATCH, BATCH)
    ]
    trainer = framework.trainer("mlp", answers.load(p.artifact("weights")), "adam", "traced")
    losses = [statistics.fmean(trainer.step(x, labels)[0] for x, labels in batches) for _ in range(epochs)]
    _conclude(
        p, report, framework, trainer.weights(), losses, epochs * len(batches), epochs * (len(sets[0]) // BATCH), sets
    )


def tracing_metric_average(p: Parameters, report: Report, framework: Framework) -> None:
    rows_a_batch = 512
    test_x, labels = mnist.split(p.data, "t10k", p.length("test_rows"))
    call = framework.caller("mlp", answers.load(p.artifact("trained")), "traced")
    means, right = [], 0
    for begin in range(0, len(labels), rows_a_batch):
        x, y = mnist.flat(test_x[begin : begin + rows_a_batch]), labels[begin : begin + rows_a_batch]
        hits = int(np.sum(np.argmax(framework.array(call(framework.tensor(x))), axis=1) == y))
        right += hits
        means.append(hits / len(y))
    exact, mean_of_means = right / len(labels), statistics.fmean(means)
    report.value("accuracy", "", "higher", exact)
    report.value("mean_of_batch_means", "", "higher", mean_of_means)
    report.value("batch_mean_error", "", "lower", abs(mean_of_means - exact))
    report.value("last_batch_rows", "", "", len(labels) % rows_a_batch)


def tracing_trace_cost(p: Parameters, report: Report, framework: Framework) -> None:
    weights, (x, labels) = answers.load(p.artifact("weights")), map(framework.tensor, first_batch(p, "mlp"))
    firsts = []
    for _ in range(3):  # the first trace of the process also starts the library
        trainer = framework.trainer("mlp", weights, "adam", "traced")
        begin = time.perf_counter_ns()
        trainer.step(x, labels)
        firsts.append(time.perf_counter_ns() - begin)

    def median_time(mode: str) -> float:
        trainer = framework.trainer("mlp", weights, "adam", mode)
        timing = measure(
            lambda: trainer.step(x, labels),
            repetitions=p.repetitions,
            iterations=p.length("steps"),
            restore=trainer.restore,
        )
        return statistics.median(timing.samples)

    traced, eager = median_time("traced"), median_time("eager")
    trace = statistics.median(firsts[1:]) - traced
    report.value("first_trace_in_process", "ns", "lower", firsts[0] - traced)
    report.value("trace_total", "ns", "lower", trace)
    report.value("share_of_eager_step_saved", "", "", (eager - traced) / eager)
    if eager > traced:
        report.value("break_even_calls", "calls", "lower", trace / (eager - traced))
    report.choose(
        "how these were measured", "in one process; the trace is the first call of a fresh step minus a later one"
    )


CASES = {
    "tracing.step": tracing_step,
    "tracing.call": tracing_call,
    "tracing.batch": tracing_batch,
    "tracing.fit": tracing_fit,
    "tracing.loop": tracing_loop,
    "tracing.metric_average": tracing_metric_average,
    "tracing.trace_cost": tracing_trace_cost,
}
