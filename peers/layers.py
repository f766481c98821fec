"""The models of the published protocols as plain lists of layers: what each framework builds its own from.

Activations are rows x height x width x channels (NHWC) where a framework lets them; weights come in Keras's layouts."""

from peers.answers import SGD_RATE  # noqa: F401: the frameworks' optimizers take it from here


def _mlp() -> list[tuple]:
    return [("dense", "dense_0"), ("relu",), ("dense", "dense_1"), ("relu",), ("dense", "dense_2")]


def _convolutions() -> list[tuple]:
    return [
        ("conv", "conv_0"),
        ("relu",),
        ("pool",),
        ("conv", "conv_1"),
        ("relu",),
        ("pool",),
        ("flatten",),
        ("dense", "dense_0"),
        ("relu",),
        ("dense", "dense_1"),
    ]


MODELS = {
    "mlp": _mlp(),  # 784-128-64-10, logits
    "convnet": _convolutions(),  # of section 5: 16 and 32 filters of 3x3, dense 128, logits
    "serving": [("rescale", 1 / 255), *_convolutions(), ("softmax",)],  # of section 6: the same with dense 64
}
