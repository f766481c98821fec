"""PyTorch: modules in channels-last layout, which is the faster one for these convolutions, and its fused Adam."""

import os
from pathlib import Path

# What torch.compile made stays in the peer's own environment: from the second process on it is loaded, as in a user's second run.
os.environ.setdefault(
    "TORCHINDUCTOR_CACHE_DIR", str(Path(__file__).resolve().parents[2] / ".deps/peers/pytorch/compiled")
)

import numpy as np  # noqa: E402
import torch  # noqa: E402
from torch import nn  # noqa: E402

from peers import layers  # noqa: E402
from peers.pytorch import pipeline  # noqa: E402

KERNEL = {2: (1, 0), 4: (3, 2, 0, 1)}  # Keras's axes -> torch's: in x out -> out x in, HWIO -> OIHW
KERAS = {2: (1, 0), 4: (2, 3, 1, 0)}  # and back


class Framework:
    steps = {
        "traced": "model and loss through torch.compile; the optimizer is fused and not compiled",
        "eager": "modules called one after the other, ReLUs in place; the optimizer is fused",
    }
    calls = {
        "traced": "the model through torch.compile with its weights frozen, in inference mode",
        "eager": "modules called one after the other, ReLUs in place, in inference mode",
    }
    steps["fastest"] = steps["eager"]
    calls["fastest"] = (
        "one row: the model traced and frozen by TorchScript; several rows: through torch.compile with its weights frozen; "
        "in inference mode"
    )
    batch_way = "fastest"
    policy_mode = "fastest"

    # The last layer stays in float32, as the study has it.
    policies = {
        "float32": "modules in float32",
        "mixed_bfloat16": "torch.autocast to bfloat16",
        "mixed_float16": "torch.autocast to float16 and GradScaler (dynamic)",
    }

    def __init__(self, threads: int):
        torch.set_num_threads(threads)
        self._threads = threads
        self._made: dict[tuple[str, bool, str], tuple] = {}

    pipeline_includes = pipeline.INCLUDES

    def pipeline(self, pixels, labels, options: str, rewrites: str, noise: bool):
        return pipeline.published(pixels, labels, options, noise, 64, self._threads)

    def scalars(self, values, rewrites: str):
        return pipeline.scalars(values, 64)

    def tensor(self, array: np.ndarray):
        tensor = torch.from_numpy(np.ascontiguousarray(array))
        return tensor.long() if tensor.dtype == torch.int32 else tensor

    def array(self, output) -> np.ndarray:
        return output.numpy()

    def identity(self, way: str = "traced"):
        one, same = torch.ones(1), nn.Identity()

        def call():
            with torch.inference_mode():
                return same(one).item()

        return call

    def caller(self, model: str, weights, way: str):
        network = _build(model, weights).eval().requires_grad_(False)
        if way == "fastest":
            return FastestCall(network)
        run = _compiled(network) if way == "traced" else network

        def call(x):
            with torch.inference_mode():
                return run(x)

        return call

    def trainer(self, model: str, weights, optimizer: str, mode: str, policy: str = "float32") -> "Trainer":
        traced = mode == "traced"
        # Compiling takes seconds: the trainer of the checks and the timed one share a network, whose weights start anew.
        if (model, traced, policy) not in self._made:
            network = _build(model, weights)
            self._made[model, traced, policy] = network, _forward(network, traced, policy)
        network, forward = self._made[model, traced, policy]
        _load(network, weights)
        return Trainer(network, forward, optimizer, policy)


def _compiled(network):
    return torch.compile(network, options={"freezing": True})


class FastestCall:
    """A call prepared for the number of rows of its first input: torch.compile's own overhead is large beside one row."""

    def __init__(self, network):
        self._network, self._run = network, None

    def _prepare(self, x):
        if len(x) > 1:
            return _compiled(self._network)
        with torch.no_grad():
            return torch.jit.freeze(torch.jit.trace(self._network, x))

    def __call__(self, x):
        if self._run is None:
            self._run = self._prepare(x)
        with torch.inference_mode():
            return self._run(x)


class Apply(nn.Module):
    """A function of the activations as a layer."""

    def __init__(self, function):
        super().__init__()
        self.forward = function


def _build(model: str, weights) -> nn.Sequential:
    network = nn.Sequential()
    if model != "mlp":
        # Rows x height x width x channels in memory is what channels-last means: a view, no copy.
        network.append(Apply(lambda x: x.permute(0, 3, 1, 2)))
    for kind, *arguments in layers.MODELS[model]:
        if kind in ("conv", "dense"):
            name = arguments[0]
            shape = weights[f"{name}/kernel"].shape
            network.add_module(name, nn.Conv2d(shape[2], shape[3], shape[:2]) if kind == "conv" else nn.Linear(*shape))
        elif kind == "rescale":
            network.append(Apply(lambda x, factor=arguments[0]: x * factor))
        elif kind == "flatten":
            network.append(Apply(lambda x: x.permute(0, 2, 3, 1).flatten(1)))
        else:
            made = {"relu": lambda: nn.ReLU(inplace=True), "pool": lambda: nn.MaxPool2d(2), "softmax": lambda: nn.Softmax(1)}
            network.append(made[kind]())
    if model != "mlp":
        network.to(memory_format=torch.channels_last)
    _load(network, weights)
    return network


def _load(network, weights) -> None:
    with torch.no_grad():
        for name, parameter in network.named_parameters():
            layer, what = name.split(".")
            value = torch.from_numpy(weights[f"{layer}/{'kernel' if what == 'weight' else 'bias'}"])
            parameter.copy_(value.permute(KERNEL[value.ndim]) if what == "weight" else value)


def _forward(network, traced: bool, policy: str):
    *body, last = network
    low_precision = {"mixed_bfloat16": torch.bfloat16, "mixed_float16": torch.float16}.get(policy)

    def forward(x, labels):
        if low_precision is None:
            logits = network(x)
        else:
            with torch.autocast("cpu", low_precision):
                for layer in body:
                    x = layer(x)
            logits = last(x.float())
        return nn.functional.cross_entropy(logits, labels), (logits.argmax(1) == labels).sum()

    return torch.compile(forward) if traced else forward


def _keras(network, value_of) -> dict[str, np.ndarray]:
    """What `value_of` gives of each parameter, under Keras's names and in its layouts."""
    found = {}
    for name, parameter in network.named_parameters():
        layer, what = name.split(".")
        value = value_of(parameter).detach()
        value = value.permute(KERAS[value.ndim]) if what == "weight" else value
        found[f"{layer}/{'kernel' if what == 'weight' else 'bias'}"] = value.numpy().copy()
    return found


class Trainer:
    def __init__(self, network, forward, optimizer: str, policy: str = "float32"):
        self._network, self._forward, self._scaled = network, forward, policy == "mixed_float16"
        self._scaler = torch.amp.GradScaler("cpu", enabled=self._scaled)
        parameters = list(network.parameters())
        self._rule = (
            torch.optim.Adam(parameters, 1e-3, (0.9, 0.999), 1e-7, fused=True)
            if optimizer == "adam"
            else torch.optim.SGD(parameters, layers.SGD_RATE)
        )
        self._initial = [parameter.detach().clone() for parameter in parameters]

    def restore(self) -> None:
        with torch.no_grad():
            for parameter, value in zip(self._network.parameters(), self._initial, strict=True):
                parameter.copy_(value)
        self._scaler = torch.amp.GradScaler("cpu", enabled=self._scaled)
        for state in self._rule.state.values():
            for value in state.values():
                if torch.is_tensor(value):
                    value.zero_()

    def step(self, x, labels) -> tuple[float, float]:
        self._rule.zero_grad(set_to_none=True)
        loss, correct = self._forward(x, labels)
        self._scaler.scale(loss).backward()
        self._scaler.step(self._rule)
        self._scaler.update()
        return loss.item(), float(correct.item())

    def gradients(self, x, labels):
        self._rule.zero_grad(set_to_none=True)
        loss, _ = self._forward(x, labels)
        loss.backward()
        return loss.detach().numpy(), _keras(self._network, lambda parameter: parameter.grad)

    def weights(self) -> dict[str, np.ndarray]:
        return _keras(self._network, lambda parameter: parameter)
