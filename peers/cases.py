"""The cases, once for all peers: the protocols of scenarios/tracing and scenarios/models, told to a framework.

A framework (peers/NAME/framework.py) is a class that offers
  tensor(array)                           what its calls take, made once outside of the timer
  trainer(model, weights, optimizer, traced)  an object with step(x, labels) -> (loss, correct rows) as Python numbers, restore(),
                                          gradients(x, labels) -> (loss, {name: array}), weights() -> {name: array}
  caller(model, weights, way)             a function of a tensor that returns when the output can be read
  array(output)                           the output as an array
  identity()                              the cheapest call of the framework, one number in and out, finished when it returns
  includes                                {way or mode: what a call of it includes}
and, where the catalogue says that it fits, fit(weights, x, labels, epochs, batch) -> (losses, steps, weights, predict).
"""

import statistics
import time

import numpy as np

from peers import answers, mnist
from peers.protocol import Parameters, Report
from peers.timing import measure

BATCH = 128
STEP_INCLUDES = "forward, loss, correct rows, backward, Adam's update; loss and correct rows read by the caller"


def _batch(p: Parameters, model: str) -> tuple[np.ndarray, np.ndarray]:
    pixels, labels = mnist.split(p.data, "train", BATCH)
    return (mnist.flat(pixels) if model == "mlp" else mnist.scaled(pixels)), labels


def timed(p: Parameters, report: Report, framework, metric: str, call, items=1, **options) -> None:
    """Reports the metric and the time of a call that does nothing, measured by the same loop."""
    timing = measure(call, repetitions=p.repetitions, deadline=p.deadline, **options)
    overhead = measure(framework.identity(), repetitions=p.repetitions, deadline=p.deadline)
    report.samples(metric, timing, items)
    report.samples("call_overhead", overhead, items)


def _check_training(report: Report, framework, model: str, weights, expected, x, labels, traced: bool) -> None:
    trainer = framework.trainer(model, weights, "sgd", traced)
    loss, gradients = trainer.gradients(x, labels)
    report.check(
        "loss equals assay's", answers.relative_error(np.ravel(loss), np.ravel(expected["loss"])), answers.ONE_STEP
    )
    report.check("gradients equal assay's", answers.worst(gradients, expected, "gradient/"), answers.ONE_STEP)
    losses = [trainer.step(x, labels)[0] for _ in range(answers.SGD_STEPS)]
    report.check(
        "losses of 20 SGD steps equal assay's",
        answers.relative_error(losses, expected["sgd/losses"]),
        answers.AFTER_SGD,
    )
    after = {f"{name}": value for name, value in trainer.weights().items()}
    expected = {name: value for name, value in expected.items() if name != "sgd/losses"}
    report.check("weights after 20 SGD steps equal assay's", answers.worst(after, expected, "sgd/"), answers.AFTER_SGD)


def _step(p: Parameters, report: Report, framework, model: str, weights, traced: bool) -> None:
    x, labels = map(framework.tensor, _batch(p, model))
    expected = answers.load(p.artifact(f"{model}_answers"))
    _check_training(report, framework, model, weights, expected, x, labels, traced)
    trainer = framework.trainer(model, weights, "adam", traced)
    first, last = trainer.step(x, labels)[0], [0.0]
    report.check(
        "first loss equals assay's", answers.relative_error([first], np.ravel(expected["loss"])), answers.ONE_STEP
    )
    report.choose("call includes", f"{STEP_INCLUDES}. {framework.includes['traced' if traced else 'eager']}")

    def call():
        last[0] = trainer.step(x, labels)[0]

    timed(p, report, framework, "step_time", call, iterations=p.length("steps"), restore=trainer.restore)
    report.check("loss fell over the timed steps", last[0], first)


def tracing_step(p: Parameters, report: Report, framework) -> None:
    _step(p, report, framework, "mlp", answers.load(p.artifact("weights")), p.values["mode"] == "traced")


def models_step(p: Parameters, report: Report, framework) -> None:
    model = p.values["model"]
    _step(p, report, framework, model, answers.load(p.artifact(model)), framework.trains_traced)


def tracing_call(p: Parameters, report: Report, framework) -> None:
    way = p.values["way"]
    pixels, labels = mnist.split(p.data, "train", BATCH)
    weights, expected = answers.load(p.artifact("weights")), answers.load(p.artifact("mlp_answers"))
    call = framework.caller("mlp", weights, way)
    logits = np.asarray(framework.array(call(framework.tensor(mnist.flat(pixels)))), np.float64)
    # The mean cross-entropy of the batch stands for its outputs: assay's file holds that.
    shifted = logits - logits.max(axis=1, keepdims=True)
    loss = float(np.mean(np.log(np.exp(shifted).sum(axis=1)) - shifted[np.arange(BATCH), labels]))
    report.check("loss equals assay's", answers.relative_error([loss], np.ravel(expected["loss"])), answers.ONE_STEP)
    report.choose("call includes", framework.includes[way])
    x = framework.tensor(mnist.flat(pixels[:1]))
    timed(p, report, framework, "call_time", lambda: call(x))


def _serving(p: Parameters, report: Report, framework, weights, metric: str, divide: bool) -> None:
    rows = int(p.values["batch"])
    pixels, _ = mnist.split(p.data, "t10k", BATCH)
    call = framework.caller("serving", weights, framework.serves)
    expected = answers.load(p.artifact("serving_answers"))["outputs"][:rows]
    x = framework.tensor(pixels[:rows])
    report.check("outputs equal assay's", answers.relative_error(framework.array(call(x)), expected), answers.ONE_STEP)
    report.choose("call includes", framework.includes[framework.serves])
    timed(p, report, framework, metric, lambda: call(x), items=rows if divide else 1)


def tracing_batch(p: Parameters, report: Report, framework) -> None:
    _serving(p, report, framework, answers.load(p.artifact("weights")), "sample_time", True)


def models_call(p: Parameters, report: Report, framework) -> None:
    _serving(p, report, framework, answers.load(p.artifact("serving")), "call_time", False)


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


def tracing_fit(p: Parameters, report: Report, framework) -> None:
    sets, epochs = _sets(p), p.length("epochs")
    losses, steps, weights = framework.fit(answers.load(p.artifact("weights")), sets[0], sets[1], epochs, BATCH)
    _conclude(p, report, framework, weights, losses, steps, epochs * -(-len(sets[0]) // BATCH), sets)


def tracing_loop(p: Parameters, report: Report, framework) -> None:
    sets, epochs = _sets(p), p.length("epochs")
    batches = [
        (framework.tensor(sets[0][i : i + BATCH]), framework.tensor(sets[1][i : i + BATCH]))
        for i in range(0, len(sets[0]) // BATCH * BATCH, BATCH)
    ]
    trainer = framework.trainer("mlp", answers.load(p.artifact("weights")), "adam", True)
    losses = [statistics.fmean(trainer.step(x, labels)[0] for x, labels in batches) for _ in range(epochs)]
    _conclude(
        p, report, framework, trainer.weights(), losses, epochs * len(batches), epochs * (len(sets[0]) // BATCH), sets
    )


def tracing_metric_average(p: Parameters, report: Report, framework) -> None:
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


def tracing_trace_cost(p: Parameters, report: Report, framework) -> None:
    weights, (x, labels) = answers.load(p.artifact("weights")), map(framework.tensor, _batch(p, "mlp"))
    firsts = []
    for _ in range(3):  # the process's very first also starts the library
        trainer = framework.trainer("mlp", weights, "adam", True)
        begin = time.perf_counter_ns()
        trainer.step(x, labels)
        firsts.append(time.perf_counter_ns() - begin)

    def median_time(traced: bool) -> float:
        trainer = framework.trainer("mlp", weights, "adam", traced)
        timing = measure(
            lambda: trainer.step(x, labels),
            repetitions=p.repetitions,
            deadline=p.deadline,
            iterations=p.length("steps"),
            restore=trainer.restore,
        )
        return statistics.median(timing.samples)

    traced, eager = median_time(True), median_time(False)
    trace = statistics.median(firsts[1:]) - traced
    report.value("first_trace_in_process", "ns", "lower", firsts[0] - traced)
    report.value("trace_total", "ns", "lower", trace)
    report.value("share_of_eager_step_saved", "", "", (eager - traced) / eager)
    if eager > traced:
        report.value("break_even_calls", "calls", "lower", trace / (eager - traced))
    report.choose(
        "how these were measured", "in one process; the trace is the first call of a fresh step less a later one"
    )


BODIES = {
    "tracing.step": tracing_step,
    "tracing.call": tracing_call,
    "tracing.batch": tracing_batch,
    "tracing.fit": tracing_fit,
    "tracing.loop": tracing_loop,
    "tracing.metric_average": tracing_metric_average,
    "tracing.trace_cost": tracing_trace_cost,
    "models.step": models_step,
    "models.call": models_call,
}
