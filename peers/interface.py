"""What a framework offers to the cases. `peers/NAME/framework.py` holds a class `Framework` with the members that the
catalogue says that it has."""

from collections.abc import Callable, Iterator
from typing import Protocol

import numpy as np

Arrays = dict[str, np.ndarray]  # by name (`dense_0/kernel`, `conv_0/bias`), in Keras's layouts


class Trainer(Protocol):
    """A model with its optimizer."""

    def step(self, x, labels) -> tuple[float, float]:
        """One update. Returns the loss and the number of correct rows as Python numbers."""

    def restore(self) -> None:
        """Sets weights and optimizer back to where they began."""

    def gradients(self, x, labels) -> tuple[np.ndarray, Arrays]:
        """The loss and its gradients; updates nothing."""

    def weights(self) -> Arrays: ...


class Framework(Protocol):
    """The modes are `eager`, `traced` and `fastest`: as a competent user of the framework writes it for speed (README.md
    has the variants that were measured). Calls have the way `predict` too, where the framework has such a method."""

    steps: dict[str, str]  # mode -> what one step includes
    calls: dict[str, str]  # way -> what one call includes
    batch_way: str  # the way of `tracing.batch`
    policies: dict[str, str]  # of `precision`: policy -> how it is set
    policy_mode: str  # the mode of `precision.step`
    pipeline_includes: str

    def __init__(self, threads: int):
        """`threads` is the most that the framework may use."""

    def tensor(self, array: np.ndarray):
        """What calls and steps take; made once, outside the timer."""

    def array(self, output) -> np.ndarray:
        """The output of a call as an array."""

    def identity(self, way: str = "traced") -> Callable[[], object]:
        """The cheapest call of the framework in this way: one number in and out, finished when it returns. Ways that are
        called alike share one; a step is called in the way `traced`."""

    def caller(self, model: str, weights: Arrays, way: str) -> Callable:
        """A function of a tensor that returns when the output can be read."""

    def trainer(self, model: str, weights: Arrays, optimizer: str, mode: str, policy: str = "float32") -> Trainer: ...

    def fit(self, weights: Arrays, x, labels, epochs: int, batch: int):
        """Trains the MLP by the framework's own loop. Returns mean losses, number of updates and weights."""

    def fit_convnet(self, weights: Arrays, x, labels, test_x, epochs: int, batch: int, policy: str, seed: int):
        """Returns mean losses, number of updates and the logits of `test_x`."""

    def pipeline(self, pixels, labels, options: str, rewrites: str, noise: bool) -> Callable[[], Iterator]:
        """The published map on rows of uint8 pixels, in batches of 64: a function that begins an epoch of (x, labels)."""

    def scalars(self, values, rewrites: str) -> Callable[[], Iterator]:
        """A map that does nothing, in batches of 64: a function that begins an epoch."""
