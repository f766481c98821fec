"""The scenario `precision` from outside: every case once, answers known from elsewhere, and bad input by name. No times are judged."""

import json
import math
import re
from pathlib import Path

import pytest
from program import ROOT, assay

MNIST = ROOT / "data/mnist"
NARROW = {"mixed_bfloat16": "bfloat16", "bfloat16": "bfloat16", "mixed_float16": "float16", "float16": "float16"}
POLICIES = ["float32", "float64", "mixed_float8", *NARROW]
# Conv 16 and 32 of 3x3, dense 800 -> 128, which the policy decides; dense 128 -> 10, which stays float32 but under float64.
BODY, LAST = (9 * 16 + 16) + (9 * 16 * 32 + 32) + (800 * 128 + 128), 128 * 10 + 10
BYTES = {"float64": 8, "bfloat16": 2, "float16": 2}  # of a weight


def events(done):
    return [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]


class Case:
    """What a case said; every check of it passed."""

    def __init__(self, *arguments, out, **options):
        self.done = assay("case", *arguments, "--data", MNIST, "--out", out, **options)
        self.events = events(self.done)
        assert self.events[-1]["status"] == "ok", self.events[-1]["reason"]
        failed = [e for e in self.events if e["event"] == "check" and not e["passed"]]
        assert failed == []
        self.values = {e["metric"]: e["value"] for e in self.events if e["event"] == "value"}
        self.choices = {e["name"]: e["value"] for e in self.events if e["event"] == "choice"}
        self.series = {e["name"]: (e["x"]["values"], e["y"]["values"]) for e in self.events if e["event"] == "series"}
        self.samples = {e["metric"]: e["values"] for e in self.events if e["event"] == "samples"}

    def acts(self, control):
        return any(c["acts"] and c["on"] for c in self.events[0]["controls"] if c["name"] == control)


@pytest.fixture(scope="module")
def weights(tmp_path_factory):
    """Options that hand a case the weights and answers that the harness would."""
    folder = tmp_path_factory.mktemp("weights")
    Case("models.weights", out=folder)
    Case("models.answers", *_artifacts(folder, "mlp", "convnet", "serving"), out=folder)
    return _artifacts(folder, "mlp", "convnet", "convnet_answers")


def _artifacts(folder, *names):
    return [text for name in names for text in ("--artifact", f"{name}={folder / name}.safetensors")]


@pytest.fixture(scope="module")
def trained(tmp_path_factory):
    folder = tmp_path_factory.mktemp("trained")
    Case("precision.seed_weights", out=folder)
    lengths = ["--length", "rows=2560", "--length", "test_rows=500", "--length", "epochs=2"]
    return folder, {policy: _fit(folder, policy, lengths) for policy in ("float32", "mixed_bfloat16", "mixed_float16")}


def _fit(folder, policy, lengths):
    out = folder / policy
    out.mkdir()
    return Case("precision.fit", "--set", f"policy={policy}", *_artifacts(folder, "weights"), *lengths, out=out)


def has_instructions(dtype):
    """Whether the processor computes in a 16-bit type, by what the system says of it."""
    flags = set(re.findall(r"\w+", re.search(r"^flags\s*:(.*)$", Path("/proc/cpuinfo").read_text(), re.M)[1]))
    return bool(flags & {"bfloat16": {"avx512_bf16", "avx_ne_convert"}, "float16": {"avx512_fp16"}}[dtype])


@pytest.mark.parametrize("off", [[], ["--off", "engine.onednn"]], ids=["onednn", "eigen"])
@pytest.mark.parametrize("policy", POLICIES)
def test_a_step_is_right_under_each_policy_and_says_what_was_emulated(policy, off, weights, tmp_path):
    short = ["--length", "steps=5", "--repetitions", "1", "--threads", "2"]
    case = Case("precision.step", "--set", f"policy={policy}", *weights, *short, *off, out=tmp_path)
    formats, share = case.choices["formats"], case.values["emulated_share"]
    assert math.isclose(sum(formats.values()), 1, rel_tol=1e-9)
    emulated = {name.removesuffix(" emulated") for name in formats if name.endswith(" emulated")}
    # float32 and float64 are what an emulation computes in: never emulated themselves.
    assert emulated <= {NARROW.get(policy), "bfloat16" if "8" in policy else "", "float8_e4m3", "float8_e5m2"}
    assert ({"float8_e4m3", "float8_e5m2"} <= emulated) == (policy == "mixed_float8")
    if policy in NARROW:
        wide = math.fsum(work for name, work in formats.items() if name.endswith(" emulated"))
        assert math.isclose(wide, share, rel_tol=1e-9)
        native = has_instructions(NARROW[policy]) and case.acts("engine.onednn")
        assert share > 0.9 if not native else share < (0.01 if NARROW[policy] == "bfloat16" else 0.5)
    else:
        assert share == (1 if policy == "mixed_float8" else 0)
    assert ("float8" in case.choices) == (policy == "mixed_float8")
    if "float16" in policy.replace("bfloat16", ""):  # only its losses are scaled
        assert case.values["skipped_in_timed_steps"] == 0
    assert len(case.samples["step_time"]) == 1


@pytest.mark.parametrize("policy", POLICIES)
def test_memory_is_what_the_types_say(policy, tmp_path):
    values = Case("precision.memory", "--set", f"policy={policy}", out=tmp_path).values
    width = BYTES.get(policy, 4)
    last = width if policy == "float64" else 4
    assert values["weight_bytes"] == BODY * width + LAST * last
    slot = 8 if policy == "float64" else 4  # 16-bit slots would lose epsilon and small second moments
    assert values["slot_bytes"] == 2 * slot * (BODY + LAST) + 8 + 4  # and the step's number and the learning rate
    assert values.get("loss_scale_bytes", 0) == (4 * 4 if "float16" in policy and "bf" not in policy else 0)
    parts = ("weight_bytes", "slot_bytes", "activation_bytes", "workspace_bytes")
    assert values["planned_peak_bytes"] == sum(values[part] for part in parts)


def test_mixed_bfloat16_keeps_smaller_activations_than_float32(tmp_path):
    kept = {p: Case("precision.memory", "--set", f"policy={p}", out=tmp_path).values for p in ("float32", "mixed_bfloat16")}
    assert kept["mixed_bfloat16"]["activation_bytes"] < kept["float32"]["activation_bytes"]


def test_the_loss_scale_follows_its_rule_step_by_step(weights, tmp_path):
    case = Case("precision.loss_scale", *weights, "--length", "rows=6000", out=tmp_path)
    _, usual = case.series["loss scale"]
    assert usual == [2**15] * (6000 // 128)  # fewer steps than the 2,000 after which it grows
    assert case.values["skipped_steps"] == 0
    assert any(how.startswith("float16") for how in case.choices["formats"])
    _, fast = case.series["loss scale, growing every 3 clean steps"]
    clean, skipped = 0, 0
    for now, then in zip(fast, fast[1:], strict=False):
        halved = then == now / 2
        clean = 0 if halved or then == 2 * now else clean + 1
        skipped += halved
        assert halved or then in (now, 2 * now)
        assert clean < 3  # the third clean step in a row doubles
    assert skipped > 0
    assert case.values["skipped_steps_growing_fast"] in (skipped, skipped + 1)  # the last step's shows in no later scale


@pytest.mark.parametrize("batch", ["8", "128"])
@pytest.mark.parametrize("steps", ["1", "16"])
def test_fused_steps_are_single_steps_in_fewer_calls(batch, steps, weights, tmp_path):
    short = ["--repetitions", "1"]
    case = Case("precision.fuse", "--set", f"batch={batch}", "--set", f"steps={steps}", *weights, *short, out=tmp_path)
    assert case.values["dispatches_a_step"] == 1 / int(steps)
    assert 0 < case.values["update_time"] < case.values["kernel_time"]


def test_training_counts_its_updates_and_costs_no_accuracy(trained):
    _, cases = trained
    for policy, case in cases.items():
        assert case.values["updates"] + case.values["skipped_steps"] == 2 * 2560 / 128, policy
        assert math.isclose(sum(case.choices["formats"].values()), 1, rel_tol=1e-9)
        assert (case.values["emulated_share"] == 0) == (policy == "float32")  # a bias's sum at least
        assert case.values["accuracy"] > 0.75, policy  # ten classes: chance gives 0.1
        (predicted,) = [e for e in case.events if e["event"] == "predictions"]
        assert len(predicted["predicted"]) == len(predicted["expected"]) == 500


def test_inference_in_16_bits_answers_as_float32_does(trained, tmp_path):
    folder, cases = trained
    artifacts = _artifacts(folder / "float32", "trained")
    case = Case("precision.inference", *artifacts, "--length", "test_rows=500", out=tmp_path)
    assert case.values["float32_accuracy"] == cases["float32"].values["accuracy"]
    assert set(case.choices["formats"]["float32"]) <= {"float32 native", "int32 native"}
    for format in ("bfloat16", "float16"):
        assert any(how.startswith(format) for how in case.choices["formats"][format])
        changed = case.values[f"{format}_changed_predictions"]
        assert changed <= 15  # weights rounded to 8 and 11 bits move a few of 500 rows
        assert abs(case.values[f"{format}_accuracy"] - case.values["float32_accuracy"]) <= changed / 500


@pytest.mark.parametrize("policy", ["float32", "bfloat16", "float16"])
def test_a_call_in_16_bits_is_right(policy, weights, tmp_path):
    case = Case("precision.infer", "--set", f"policy={policy}", *weights, "--repetitions", "1", out=tmp_path)
    assert case.samples["call_time"][0] > 0
    if policy != "float32" and not (has_instructions(policy) and case.acts("engine.onednn")):
        assert case.values["emulated_share"] > 0.9


def test_the_curve_has_every_native_format_or_says_why_not(tmp_path):
    case = Case("precision.sizes", out=tmp_path)
    for format in ("float32", "bfloat16", "float16", "float64"):
        if f"no {format} curve" in case.choices:
            assert format not in ("float32", "float64")
            continue
        sides, times = case.series[f"{format} product"]
        assert sides == [16, 32, 64, 128, 256, 512, 1024]
        assert min(times) > 0
        assert format == "float32" or f"{format}_pays_from" in case.values or f"{format} pays" in case.choices


def test_underflow_lets_go_where_the_format_says(tmp_path):
    case = Case("precision.underflow", out=tmp_path)
    # Half of float16's smallest subnormal, 2^-24, goes to zero (a tie, to even); what is above it stays.
    assert 2**-25 < case.values["smallest_surviving"] < 2**-25 * (1 + 2**-22)
    assert case.values["smallest_surviving"] / case.values["smallest_surviving_scaled"] == 1024
    series = {name: dict(zip(*xy, strict=True)) for name, xy in case.series.items()}
    assert [m for m, kept in series["float16 plain"].items() if kept == 0] == [1e-8, 1e-9, 1e-10]
    assert all(series["float16 scaled by 1024"].values())


@pytest.mark.parametrize(
    ("case", "value", "advice"),
    [
        ("precision.step", "policy=mixed_float7", "did you mean 'mixed_float"),
        ("precision.infer", "policy=float9", "did you mean 'float"),
        ("precision.fuse", "steps=3", "there are: 1 16"),
    ],
)
def test_an_unknown_value_is_named_with_what_there_is(case, value, advice, tmp_path):
    done = assay("case", case, "--set", value, "--data", MNIST, "--out", tmp_path)
    assert done.returncode == 2
    assert value.split("=")[1] in done.stderr
    assert advice in done.stderr


def test_a_mixed_step_shows_its_casts_in_explain():
    done = assay("explain", "precision.step{policy=mixed_bfloat16}")
    assert done.returncode == 0, done.stderr
    assert "cast" in done.stdout
    assert "bfloat16" in done.stdout
    assert "engine.fuse_casts" in done.stdout
