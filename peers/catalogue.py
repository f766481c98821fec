"""What each peer offers, as the JSON of `PROGRAM cases`. Ids, parameters, metrics and groups are those of assay's own
scenarios, so that every comparison of theirs is formed in the peer's column too. Needs no package."""

import itertools
from dataclasses import dataclass, field

BATCHES = ["1", "2", "8", "32", "128"]
# TensorFlow's switch for its oneDNN kernels. Its libraries read the variable when they are imported.
ONEDNN = {
    "name": "onednn",
    "values": ["off", "on"],  # the order of the columns: as the study measured it, then as TensorFlow comes
    "default": "on",
    "stands_for": {
        value: {"off": [], "environment": {"TF_ENABLE_ONEDNN_OPTS": flag}}
        for value, flag in (("on", "1"), ("off", "0"))
    },
}
TRAINING_ANSWERS = ["mlp_answers", "convnet_answers"]


@dataclass(frozen=True)
class Peer:
    """What a framework can do, as the values of the cases' parameters."""

    title: str
    package: str  # whose version is the program's
    modes: list[str] = field(default_factory=list)  # of tracing.step
    ways: list[str] = field(default_factory=list)  # of tracing.call
    models: list[str] = field(default_factory=list)  # of models.step
    fits: bool = False  # has a `fit`
    policies: list[str] = field(default_factory=list)  # of precision.step
    fit_policies: list[str] = field(default_factory=list)  # of precision.fit
    pipelines: list[str] = field(default_factory=list)  # options of pipeline.epoch
    rewrites: bool = False  # its pipelines have rewrites that can be switched off
    parameters: list[dict] = field(default_factory=list)  # of every case; each value makes a column


PEERS = {
    "tensorflow": Peer(
        "TensorFlow",
        "tensorflow-cpu",
        modes=["traced", "eager"],
        ways=["traced", "eager", "predict"],
        models=["mlp", "convnet"],
        fits=True,
        policies=["float32", "mixed_bfloat16", "mixed_float16", "float64"],
        fit_policies=["float32", "mixed_bfloat16", "mixed_float16", "float64"],
        pipelines=["map", "parallel", "prefetch", "cache"],
        rewrites=True,
        parameters=[ONEDNN],
    ),
    "pytorch": Peer(
        "PyTorch",
        "torch",
        modes=["traced", "eager"],
        ways=["traced", "eager"],
        models=["mlp", "convnet"],
        policies=["float32", "mixed_bfloat16", "mixed_float16"],
        pipelines=["map", "parallel"],
    ),
    "jax": Peer("JAX", "jax", modes=["traced", "eager"], ways=["traced", "eager"], models=["mlp", "convnet"]),
    "onnxruntime": Peer("ONNX Runtime", "onnxruntime", ways=["traced"]),
}

# Seconds that a process takes on average, most of them for its start: what the time left of a run is told from before
# anything ran.
SECONDS_A_PROCESS = 4
# Processes that a profile starts for one configuration: one a round, one a seed, or one.
PROCESSES = {
    "quick": {"timed": 6, "trained": 6, "exact": 1},
    "standard": {"timed": 10, "trained": 6, "exact": 1},
    "full": {"timed": 20, "trained": 10, "exact": 1},
}
LIMIT_S = 240  # after which a process is ended; a first torch.compile takes a minute on a slow machine


def catalogue(name: str, version: str) -> dict:
    peer = PEERS[name]
    program = {"name": name, "version": version, "commit": "", "dirty": False, "build": {}}
    return {
        "protocol": 1,
        "program": {**program, "columns": [parameter["name"] for parameter in peer.parameters]},
        "controls": [],
        "profiles": [],
        "scenarios": [
            _scenario(name, cases(peer), peer)
            for name, cases in (
                ("tracing", _tracing),
                ("models", _models),
                ("precision", _precision),
                ("pipeline", _pipeline),
            )
            if cases(peer)
        ],
    }


def _case(name, kind, metric=None, parameter=None, needs=(), group="", exact=False) -> dict:
    metrics = [dict(zip(("name", "unit", "better"), metric, strict=True), exact=exact)] if metric else []
    if kind == "timed" and metric[1] == "ns":
        metrics.append({"name": "call_overhead", "unit": "ns", "better": "lower"})
    several = [parameter] if isinstance(parameter, tuple) else parameter or []
    parameters = [{"name": n, "values": values, "default": values[0], "stands_for": {}} for n, values in several]
    needs = [{"artifact": a, "from": f, "same_seed": same} for a, f, same in needs]
    return {
        "name": name,
        "kind": kind,
        "parameters": parameters,
        "metrics": metrics,
        "needs": needs,
        "limit_s": LIMIT_S,
        "group": group,
    }


def _tracing(peer: Peer) -> list[dict]:
    weights = ("weights", "tracing.weights", False)
    accuracy, seeded = ("accuracy", "", "higher"), [("weights", "tracing.seed_weights", True)]
    answers = ("mlp_answers", "models.answers", False)
    step_time, call_time, sample_time = (
        ("step_time", "ns", "lower"),
        ("call_time", "ns", "lower"),
        ("sample_time", "ns", "lower"),
    )
    cases = []
    if peer.modes:
        cases.append(_case("tracing.step", "timed", step_time, ("mode", peer.modes), [weights, answers]))
    if peer.ways:
        cases.append(_case("tracing.call", "timed", call_time, ("way", peer.ways), [weights, answers]))
    serving = [("weights", "tracing.weights{model=serving}", False), ("serving_answers", "models.answers", False)]
    cases.append(_case("tracing.batch", "timed", sample_time, ("batch", ["1", "128"]), serving))
    if peer.fits:
        cases.append(_case("tracing.fit", "trained", accuracy, needs=seeded, group="tracing.training"))
        cases.append(_case("tracing.loop", "trained", accuracy, needs=seeded, group="tracing.training"))
    if peer.models:
        cases.append(
            _case(
                "tracing.metric_average",
                "exact",
                ("batch_mean_error", "", "lower"),
                needs=[("trained", "tracing.fit", False)],
                exact=True,
            )
        )
    if len(peer.modes) > 1:
        cases.append(_case("tracing.trace_cost", "exact", ("break_even_calls", "calls", "lower"), needs=[weights]))
    return cases


def threads_artifact(values: dict[str, str]) -> str:
    """What `models.threads` calls its artifact, given the parameters of a case: each column has one of its own."""
    return "_".join(["threads", *(values[p["name"]] for p in [ONEDNN] if p["name"] in values)])


def _models(peer: Peer) -> list[dict]:
    need = lambda artifact, case: (artifact, f"models.{case}", False)  # noqa: E731
    weights = [need(model, "weights") for model in [*peer.models, "serving"]]
    columns = [{p["name"]: value} for p in peer.parameters for value in p["values"]]
    threads = [need(threads_artifact(c), "threads{" + _values(c) + "}") for c in columns] or [need("threads", "threads")]
    cases = [_case("models.threads", "exact", needs=weights)]
    if peer.models:
        needs = weights[:-1] + [need(a, "answers") for a in TRAINING_ANSWERS] + threads
        cases.append(_case("models.step", "timed", ("step_time", "ns", "lower"), ("model", peer.models), needs))
    needs = [weights[-1], need("serving_answers", "answers"), *threads]
    cases.append(_case("models.call", "timed", ("call_time", "ns", "lower"), ("batch", BATCHES), needs))
    return cases


def _precision(peer: Peer) -> list[dict]:
    if not peer.policies:
        return []
    needs = [("convnet", "models.weights", False), ("convnet_answers", "models.answers", False)]
    cases = [_case("precision.step", "timed", ("step_time", "ns", "lower"), ("policy", peer.policies), needs)]
    if peer.fit_policies:
        needs = [("weights", "precision.seed_weights", True)]
        metric, policy = ("accuracy", "", "higher"), ("policy", peer.fit_policies)
        cases.append(_case("precision.fit", "trained", metric, policy, needs, group="precision.training"))
    return cases


def _pipeline(peer: Peer) -> list[dict]:
    if not peer.pipelines:
        return []
    mapped, switch = [("mapped", "pipeline.answers", False)], [("rewrites", ["on", "off"])] if peer.rewrites else []
    cases = [
        _case("pipeline.epoch", "timed", ("epoch_time", "ns", "lower"), [("options", peer.pipelines), *switch], mapped),
        _case("pipeline.noop", "timed", ("element_time", "ns", "lower"), switch),
    ]
    if peer.rewrites:
        cases.append(_case("pipeline.supplied", "timed", ("supplied_share", "", ""), needs=mapped))
        waiting = ("waiting_share", "", "lower")
        cases.append(_case("pipeline.starve", "timed", waiting, [("prefetch", ["off", "on"])], mapped))
    return cases


def _scenario(name: str, cases: list[dict], peer: Peer) -> dict:
    groups: dict[str, list[str]] = {}
    processes = dict.fromkeys(PROCESSES, 0)
    for case in cases:
        case["parameters"] += peer.parameters
        configurations = _configurations(case)
        groups.setdefault(case.pop("group") or case["name"], []).extend(configurations)
        for profile, of_kind in PROCESSES.items():
            processes[profile] += len(configurations) * of_kind[case["kind"]]
    return {
        "name": name,
        "question": "",
        "budget_s": {profile: SECONDS_A_PROCESS * count for profile, count in processes.items()},
        "cases": cases,
        "groups": [{"name": group, "configurations": configurations} for group, configurations in groups.items()],
        "comparisons": [],
    }


def _values(chosen: dict[str, str]) -> str:
    return ",".join(f"{key}={value}" for key, value in sorted(chosen.items()))


def _configurations(case: dict) -> list[str]:
    """Every combination of the case's values."""
    choices = [[(p["name"], value) for value in p["values"] if value] for p in case["parameters"]]
    ids = []
    for combination in itertools.product(*choices):
        values = _values(dict(combination))
        ids.append(f"{case['name']}{{{values}}}" if values else case["name"])
    return ids
