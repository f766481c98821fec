"""The training protocol once more, in float64 NumPy, from the same initial weights: assay's `tracing.fit` must agree."""

import gzip
import json

import numpy
import pytest
from program import ROOT, assay
from safetensors.numpy import load_file

ROWS, TEST_ROWS, EPOCHS, BATCH = 8000, 2000, 6, 128


def idx(name, rows):
    data = gzip.decompress((ROOT / "data/mnist" / name).read_bytes())
    dimensions = [int.from_bytes(data[4 + 4 * i : 8 + 4 * i], "big") for i in range(data[3])]
    return numpy.frombuffer(data, numpy.uint8, offset=4 + 4 * data[3]).reshape(dimensions)[:rows]


def logits_and_inputs(weights, x):
    """Of each layer: its input; and the logits of the last. [rows, in] x [in, out] + [out], ReLU in between."""
    inputs = []
    for place, (kernel, bias) in enumerate(weights):
        inputs.append(x)
        x = x @ kernel + bias
        if place < len(weights) - 1:
            x = numpy.maximum(x, 0)
    return x, inputs


def loss_and_gradients(weights, x, labels):
    logits, inputs = logits_and_inputs(weights, x)
    shifted = logits - logits.max(axis=1, keepdims=True)
    log_probabilities = shifted - numpy.log(numpy.exp(shifted).sum(axis=1, keepdims=True))
    rows = numpy.arange(len(labels))
    upstream = numpy.exp(log_probabilities)
    upstream[rows, labels] -= 1
    upstream /= len(labels)
    gradients = []
    for (kernel, _), given in zip(reversed(weights), reversed(inputs)):
        gradients[:0] = [given.T @ upstream, upstream.sum(axis=0)]
        upstream = (upstream @ kernel.T) * (given > 0)
    return -log_probabilities[rows, labels].mean(), gradients


def adam(parameters, gradients, state, step, rate=1e-3, beta1=0.9, beta2=0.999, epsilon=1e-7):
    """As Keras does it: epsilon beside the square root of the uncorrected second moment."""
    corrected = rate * numpy.sqrt(1 - beta2**step) / (1 - beta1**step)
    for parameter, gradient, (m, v) in zip(parameters, gradients, state):
        m += (1 - beta1) * (gradient - m)
        v += (1 - beta2) * (gradient**2 - v)
        parameter -= corrected * m / (numpy.sqrt(v) + epsilon)


def trained(weights):
    """(mean loss of each epoch, accuracy on the test rows); `weights` are changed."""
    x = idx("train-images-idx3-ubyte.gz", ROWS).reshape(ROWS, -1) / 255
    labels = idx("train-labels-idx1-ubyte.gz", ROWS)
    parameters = [part for layer in weights for part in layer]
    state = [(numpy.zeros_like(part), numpy.zeros_like(part)) for part in parameters]
    losses, step = [], 0
    for _ in range(EPOCHS):
        total = 0.0
        for begin in range(0, ROWS, BATCH):  # original order, the last short batch kept
            some = slice(begin, begin + BATCH)
            loss, gradients = loss_and_gradients(weights, x[some], labels[some])
            step += 1
            adam(parameters, gradients, state, step)
            total += loss * len(labels[some])
        losses.append(total / ROWS)
    test = idx("t10k-images-idx3-ubyte.gz", TEST_ROWS).reshape(TEST_ROWS, -1) / 255
    predicted = logits_and_inputs(weights, test)[0].argmax(axis=1)
    return losses, float((predicted == idx("t10k-labels-idx1-ubyte.gz", TEST_ROWS)).mean())


@pytest.mark.parametrize("seed", [0, 1])
def test_training_agrees_with_numpy(seed, tmp_path):
    made = assay("case", "tracing.seed_weights", "--seed", seed, "--out", tmp_path)
    assert made.returncode == 0, made.stderr
    (path,) = [tmp_path / e["path"] for e in map(json.loads, made.stdout.splitlines()) if e["event"] == "artifact"]
    done = assay(
        *("case", "tracing.fit", "--seed", seed, "--threads", 2, "--artifact", f"weights={path}"),
        *("--out", tmp_path, "--data", ROOT / "data/mnist"),
    )
    assert done.returncode == 0, done.stderr
    events = [json.loads(line) for line in done.stdout.splitlines()]
    (accuracy,) = [e["value"] for e in events if e["event"] == "value" and e["metric"] == "accuracy"]
    (losses,) = [e["y"]["values"] for e in events if e["event"] == "series" and e["name"] == "training loss"]

    tensors = {name: tensor.astype(float) for name, tensor in load_file(path).items()}
    kernels = sorted(name for name, tensor in tensors.items() if tensor.ndim == 2)
    biases = sorted(name for name, tensor in tensors.items() if tensor.ndim == 1)
    weights = [(tensors[kernel], tensors[bias]) for kernel, bias in zip(kernels, biases)]
    assert [kernel.shape for kernel, _ in weights] == [(784, 128), (128, 64), (64, 10)]
    expected_losses, expected_accuracy = trained(weights)
    assert losses[0] == pytest.approx(expected_losses[0], rel=1e-3)
    assert len(losses) == EPOCHS
    assert accuracy == pytest.approx(expected_accuracy, abs=0.01)
