"""The cases of scenario `models`: a training step and an inference call, each as fast as the framework does it."""

import numpy as np

from peers import answers, mnist, thread_choice
from peers.cases.training import step, timed
from peers.interface import Framework
from peers.protocol import Parameters, Report

SERVING_ROWS = 128


def serving(p: Parameters, report: Report, framework: Framework, weights, way: str, metric: str, per_row: bool) -> None:
    """Checks and times calls of the serving convnet."""
    rows = int(p.values["batch"])
    pixels, _ = mnist.split(p.data, "t10k", SERVING_ROWS)
    call = framework.caller("serving", weights, way)
    expected = answers.load(p.artifact("serving_answers"))["outputs"][:rows]
    x = framework.tensor(np.ascontiguousarray(pixels[:rows]))
    report.check("outputs equal assay's", answers.relative_error(framework.array(call(x)), expected), answers.ONE_STEP)
    report.choose("call includes", framework.calls[way])
    timed(p, report, framework.identity(way), metric, lambda: call(x), items=rows if per_row else 1)


def models_step(p: Parameters, report: Report, framework: Framework) -> None:
    model = p.values["model"]
    report.choose("threads", thread_choice.explanation(p))
    step(p, report, framework, model, answers.load(p.artifact(model)), "fastest")


def models_call(p: Parameters, report: Report, framework: Framework) -> None:
    report.choose("threads", thread_choice.explanation(p))
    serving(p, report, framework, answers.load(p.artifact("serving")), "fastest", "call_time", False)


CASES = {"models.step": models_step, "models.call": models_call}
