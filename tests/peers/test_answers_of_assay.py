"""The file that every peer is compared with, against NumPy in float64: the MLP's loss, gradients and 20 steps of SGD."""

import json
import subprocess

import numpy as np
import pytest
from program import PROGRAM, ROOT

from peers import mnist
from peers.answers import AFTER_SGD, ONE_STEP, SGD_RATE, SGD_STEPS, relative_error


def tensors(path):
    """A safetensors file by its format alone: header length, JSON header, values."""
    content = path.read_bytes()
    size = int.from_bytes(content[:8], "little")
    header, values = json.loads(content[8 : 8 + size]), content[8 + size :]
    return {
        name: np.frombuffer(values[entry["data_offsets"][0] : entry["data_offsets"][1]], "<f4")
        .reshape(entry["shape"])
        .astype(np.float64)
        for name, entry in header.items()
    }


def loss_and_gradients(weights, x, labels):
    kernels = [weights[f"dense_{i}/kernel"] for i in range(3)]
    biases = [weights[f"dense_{i}/bias"] for i in range(3)]
    activations = [x]
    for i, (kernel, bias) in enumerate(zip(kernels, biases, strict=True)):
        z = activations[-1] @ kernel + bias
        activations.append(np.maximum(z, 0) if i < 2 else z)
    logits = activations.pop()
    shifted = logits - logits.max(axis=1, keepdims=True)
    probabilities = np.exp(shifted) / np.exp(shifted).sum(axis=1, keepdims=True)
    rows = np.arange(len(labels))
    loss = -np.log(probabilities[rows, labels]).mean()
    back = probabilities.copy()
    back[rows, labels] -= 1
    back /= len(labels)
    gradients = {}
    for i in (2, 1, 0):
        gradients[f"dense_{i}/kernel"] = activations[i].T @ back
        gradients[f"dense_{i}/bias"] = back.sum(axis=0)
        back = (back @ kernels[i].T) * (activations[i] > 0)
    return loss, gradients


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    out = tmp_path_factory.mktemp("answers")

    def case(name, *arguments):
        command = [PROGRAM, "case", name, "--data", ROOT / "data/mnist", "--out", out, *arguments]
        done = subprocess.run(list(map(str, command)), capture_output=True, text=True, timeout=120)
        events = [json.loads(line) for line in done.stdout.splitlines()]
        assert events[-1]["status"] == "ok", events[-1]
        assert all(e["passed"] for e in events if e["event"] == "check")

    case("models.weights")
    case("models.answers", *(f"--artifact={name}={out / name}.safetensors" for name in ("mlp", "convnet", "serving")))
    return out


def test_the_mlps_answers_are_numpys(files):
    weights, answers = tensors(files / "mlp.safetensors"), tensors(files / "mlp_answers.safetensors")
    pixels, labels = mnist.split(ROOT / "data/mnist", "train", 128)
    x = mnist.flat(pixels).astype(np.float64)
    loss, gradients = loss_and_gradients(weights, x, labels)
    assert relative_error(np.ravel(answers["loss"]), [loss]) <= ONE_STEP
    assert {name for name in answers if name.startswith("gradient/")} == {f"gradient/{name}" for name in weights}
    for name, gradient in gradients.items():
        assert relative_error(answers[f"gradient/{name}"], gradient) <= ONE_STEP, name
    losses = []
    for _ in range(SGD_STEPS):
        loss, gradients = loss_and_gradients(weights, x, labels)
        losses.append(loss)
        weights = {name: value - SGD_RATE * gradients[name] for name, value in weights.items()}
    assert losses[-1] < losses[0] / 2, "twenty steps that change nothing would compare nothing"
    assert relative_error(answers["sgd/losses"], losses) <= AFTER_SGD
    for name, value in weights.items():
        assert relative_error(answers[f"sgd/{name}"], value) <= AFTER_SGD, name


def test_the_other_answers_are_there(files):
    convnet, answers = tensors(files / "convnet.safetensors"), tensors(files / "convnet_answers.safetensors")
    assert set(answers) == {"loss", "sgd/losses"} | {
        f"{kind}/{name}" for name in convnet for kind in ("gradient", "sgd")
    }
    outputs = tensors(files / "serving_answers.safetensors")["outputs"]
    assert outputs.shape == (128, 10)
    assert np.allclose(outputs.sum(axis=1), 1, atol=1e-6), "softmax"
    assert np.abs(outputs - 0.1).max() > 0.01, "rows differ, or any model would answer so"
