"""JAX: models as plain functions of a dictionary of weights, Adam and SGD from optax."""

import jax
import jax.numpy as jnp
import numpy as np
import optax

from peers import layers


class Framework:
    """JAX has no option for threads: the CPU affinity that the harness sets is what limits them."""

    trains_traced = True
    serves = "traced"
    includes = {
        "traced": "a jitted call, blocked on until its result is there",
        "eager": "every operation dispatched on its own, without jit; blocked on until the result is there",
    }

    def __init__(self, threads: int):
        jax.config.update("jax_platforms", "cpu")

    def tensor(self, array: np.ndarray):
        return jax.device_put(array)

    def array(self, output) -> np.ndarray:
        return np.asarray(output)

    def identity(self):
        one, same = jnp.float32(1), jax.jit(lambda x: x + 0)
        return lambda: same(one).block_until_ready()

    def caller(self, model: str, weights, way: str):
        weights = {name: jax.device_put(value) for name, value in weights.items()}
        # jit takes the weights as an argument, so that none is baked in as a constant.
        run = lambda w, x: _outputs(layers.MODELS[model], w, x)  # noqa: E731
        run = jax.jit(run) if way == "traced" else run
        return lambda x: run(weights, x).block_until_ready()

    def trainer(self, model: str, weights, optimizer: str, traced: bool) -> "Trainer":
        return Trainer(layers.MODELS[model], weights, optimizer, traced)


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
            x = jax.lax.reduce_window(x, -jnp.inf, jax.lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID")
        elif kind == "flatten":
            x = x.reshape(x.shape[0], -1)
        elif kind == "softmax":
            x = jax.nn.softmax(x)
    return x


class Trainer:
    def __init__(self, model: list, weights, optimizer: str, traced: bool):
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

        self._gradients = jax.jit(gradients) if traced else gradients
        self._step = jax.jit(step) if traced else step
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
