"""JAX: models as plain functions of a dictionary of weights, Adam and SGD from optax."""

import os

import jax
import jax.numpy as jnp
import numpy as np
import optax

from peers import layers


class Framework:
    steps = {
        "traced": "a jitted function of weights and optimizer state, blocked on until the new weights are there",
        "eager": "every operation dispatched on its own, without jit; blocked on until the new weights are there",
    }
    calls = {
        "traced": "a jitted call with the weights closed over, blocked on until its result is there",
        "eager": "every operation dispatched on its own, without jit; blocked on until the result is there",
    }
    steps["fastest"], calls["fastest"] = steps["traced"], calls["traced"]
    batch_way = "traced"

    def __init__(self, threads: int):
        """JAX has no option for threads: its CPU client takes as many as the process may use."""
        allowed = sorted(os.sched_getaffinity(0))
        os.sched_setaffinity(0, allowed[:threads])
        jax.config.update("jax_platforms", "cpu")
        # Every call is waited for: another thread that computes it only adds its wake-up.
        jax.config.update("jax_cpu_enable_async_dispatch", False)

    def tensor(self, array: np.ndarray):
        return jax.device_put(array)

    def array(self, output) -> np.ndarray:
        return np.asarray(output)

    def identity(self, way: str = "traced"):
        one, same = jnp.float32(1), jax.jit(lambda x: x + 0)
        return lambda: same(one).block_until_ready()

    def caller(self, model: str, weights, way: str):
        weights = {name: jax.device_put(value) for name, value in weights.items()}
        run = lambda x: _outputs(layers.MODELS[model], weights, x)  # noqa: E731
        run = run if way == "eager" else jax.jit(run)
        return lambda x: run(x).block_until_ready()

    def trainer(self, model: str, weights, optimizer: str, mode: str) -> "Trainer":
        return Trainer(layers.MODELS[model], weights, optimizer, jit=mode != "eager")


def _max_pool(x):
    """The largest of each 2 x 2 square. As reduce_window, its gradient takes several times as long on CPUs."""
    rows, height, width, channels = x.shape
    height, width = height // 2, width // 2
    squares = x[:, : 2 * height, : 2 * width].reshape(rows, height, 2, width, 2, channels)
    return squares.max(axis=(2, 4))


def _outputs(model: list, weights, x):
    for kind, *arguments in model:
        if kind == "rescale":
            x = x * arguments[0]
        elif kind == "conv":
            name, dimensions = arguments[0], ("NHWC", "HWIO", "NHWC")
            x = jax.lax.conv_general_dilated(
                x, weights[f"{name}/kernel"], (1, 1), "VALID", dimension_numbers=dimensions
            )
            x = x + weights[f"{name}/bias"]
        elif kind == "dense":
            x = x @ weights[f"{arguments[0]}/kernel"] + weights[f"{arguments[0]}/bias"]
        elif kind == "relu":
            x = jax.nn.relu(x)
        elif kind == "pool":
            x = _max_pool(x)
        elif kind == "flatten":
            x = x.reshape(x.shape[0], -1)
        elif kind == "softmax":
            x = jax.nn.softmax(x)
    return x


class Trainer:
    def __init__(self, model: list, weights, optimizer: str, jit: bool):
        rule = optax.adam(1e-3, 0.9, 0.999, 1e-7) if optimizer == "adam" else optax.sgd(layers.SGD_RATE)
        self._initial = {name: jax.device_put(value) for name, value in weights.items()}
        self._first_state = rule.init(self._initial)

        def loss_of(w, x, labels):
            logits = _outputs(model, w, x)
            loss = optax.softmax_cross_entropy_with_integer_labels(logits, labels).mean()
            return loss, jnp.sum(jnp.argmax(logits, axis=1) == labels)

        gradients = jax.value_and_grad(loss_of, has_aux=True)

        def step(w, state, x, labels):
            (loss, correct), found = gradients(w, x, labels)
            updates, state = rule.update(found, state, w)
            return optax.apply_updates(w, updates), state, loss, correct

        self._gradients = jax.jit(gradients) if jit else gradients
        self._step = jax.jit(step) if jit else step
        self.restore()

    def restore(self) -> None:
        self._weights, self._state = self._initial, self._first_state

    def step(self, x, labels) -> tuple[float, float]:
        self._weights, self._state, loss, correct = self._step(self._weights, self._state, x, labels)
        # The next step waits for these weights anyway, but the last one's must be there when the timer stops.
        jax.block_until_ready(self._weights)
        return float(loss), float(correct)

    def gradients(self, x, labels):
        (loss, _), found = self._gradients(self._weights, x, labels)
        return np.asarray(loss), {name: np.asarray(value) for name, value in found.items()}

    def weights(self) -> dict[str, np.ndarray]:
        return {name: np.asarray(value) for name, value in self._weights.items()}
