"""Compares a peer's answers with assay's, which the case `models.answers` writes."""

from collections.abc import Mapping
from pathlib import Path

import numpy as np

SGD_STEPS = 20
SGD_RATE = 0.1
ONE_STEP = 1e-5  # for loss, gradients and outputs: float32 sums in another order
AFTER_SGD = 1e-4  # for losses and weights after 20 steps, which amplify rounding


def load(path: Path) -> dict[str, np.ndarray]:
    """Weights by name (`dense_0/kernel`, `conv_0/bias`), in Keras's layouts: in x out, height x width x in x out."""
    from safetensors.numpy import load_file  # imported here because the comparisons need NumPy alone

    return load_file(path)


def save(path: Path, weights: Mapping[str, np.ndarray]) -> None:
    from safetensors.numpy import save_file

    save_file({name: np.ascontiguousarray(value) for name, value in weights.items()}, path)


def relative_error(a: np.ndarray, b: np.ndarray) -> float:
    """The largest |a - b| divided by the largest |b|; infinite where shapes differ or a value is not finite. As in assay."""
    a, b = np.asarray(a, np.float64), np.asarray(b, np.float64)
    if a.shape != b.shape or not np.isfinite(a).all():
        return float("inf")
    return float(np.max(np.abs(a - b), initial=0) / np.max(np.abs(b), initial=1e-30))


def max_relative_error(found: Mapping[str, np.ndarray], expected: Mapping[str, np.ndarray], prefix: str) -> float:
    """The largest relative error over the expected tensors whose names begin with `prefix`; infinite where one is missing."""
    names = [name for name in expected if name.startswith(prefix)]
    if not names:
        return float("inf")
    errors = [
        relative_error(found[n.removeprefix(prefix)], expected[n]) if n.removeprefix(prefix) in found else float("inf")
        for n in names
    ]
    return max(errors)
