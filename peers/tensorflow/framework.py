"""TensorFlow with Keras. Its oneDNN switch is an environment variable that the harness sets from the parameter `onednn`."""

import os

os.environ.setdefault(
    "TF_CPP_MIN_LOG_LEVEL", "3"
)  # its notes on the processor would be all of the standard error's tail
os.environ.setdefault("KERAS_BACKEND", "tensorflow")

import keras  # noqa: E402
import numpy as np  # noqa: E402
import tensorflow as tf  # noqa: E402

from peers import layers  # noqa: E402
from peers.tensorflow import pipeline  # noqa: E402

BATCH = 64  # of data pipelines


class Framework:
    steps = {
        "traced": "a tf.function of forward, gradients and Keras's optimizer",
        "eager": "Keras layers and optimizer outside of a tf.function",
    }
    calls = {
        "traced": "a call of a tf.function; its result read as an array",
        "eager": "a Keras model called outside of a tf.function; its result read as an array",
        "predict": "model.predict(x, verbose=0): a data pipeline, an iterator and callbacks a call",
        "fastest": "the model converted to TensorFlow Lite, which comes with TensorFlow: input copied in, invoke, output "
        "copied out",
    }
    steps["fastest"] = steps["traced"]
    batch_way = policy_mode = "traced"  # as the study has it

    # The last layer stays in float32 under a mixed policy, as the study has it.
    policies = {
        "float32": "Keras layers in float32",
        "float64": "Keras layers in float64",
        "mixed_bfloat16": "Keras's policy mixed_bfloat16",
        "mixed_float16": "Keras's policy mixed_float16 and LossScaleOptimizer (dynamic)",
    }

    def __init__(self, threads: int):
        self._threads = threads
        tf.config.set_visible_devices([], "GPU")
        tf.config.threading.set_intra_op_parallelism_threads(threads)
        tf.config.threading.set_inter_op_parallelism_threads(threads)

    pipeline_includes = pipeline.INCLUDES

    def pipeline(self, pixels, labels, options: str, rewrites: str, noise: bool):
        return pipeline.published(pixels, labels, options, rewrites, noise, BATCH)

    def scalars(self, values, rewrites: str):
        return pipeline.scalars(values, rewrites, BATCH)

    def tensor(self, array: np.ndarray):
        return tf.constant(array)

    def array(self, output) -> np.ndarray:
        return np.asarray(output)

    def identity(self, way: str = "traced"):
        if way == "fastest":
            network = keras.Sequential([keras.Input((1,)), keras.layers.Identity()])
            one, call = tf.constant([[1.0]]), LiteCall(network, self._threads)
            return lambda: call(one)
        one, same = tf.constant(1.0), tf.function(tf.identity)
        return lambda: same(one).numpy()

    def caller(self, model: str, weights, way: str):
        network = _build(model, weights)
        if way == "predict":
            return lambda x: network.predict(x, verbose=0)
        if way == "fastest":
            return LiteCall(network, self._threads)
        run = tf.function(lambda x: network(x, training=False)) if way == "traced" else network
        return lambda x: run(x).numpy()

    def trainer(self, model: str, weights, optimizer: str, mode: str, policy: str = "float32") -> "Trainer":
        return Trainer(_build(model, weights, policy), optimizer, mode != "eager", policy)

    def fit(self, weights, x, labels, epochs: int, batch: int):
        network, optimizer = _build("mlp", weights), _optimizer("adam")
        loss = keras.losses.SparseCategoricalCrossentropy(from_logits=True)
        network.compile(optimizer, loss, metrics=["accuracy"])
        history = network.fit(x, labels, batch_size=batch, epochs=epochs, shuffle=False, verbose=0)
        return history.history["loss"], int(optimizer.iterations.numpy()), _weights(network)

    def fit_convnet(self, weights, x, labels, test_x, epochs: int, batch: int, policy: str, seed: int):
        keras.utils.set_random_seed(seed)  # of the order of the rows
        network = _build("convnet", weights, policy)
        optimizer = _optimizer("adam")
        if policy == "mixed_float16":
            optimizer = keras.optimizers.LossScaleOptimizer(optimizer)
        loss = keras.losses.SparseCategoricalCrossentropy(from_logits=True)
        network.compile(optimizer, loss, metrics=["accuracy"])
        history = network.fit(x, labels, batch_size=batch, epochs=epochs, verbose=0)
        return history.history["loss"], int(optimizer.iterations.numpy()), network.predict(test_x, verbose=0)


class LiteCall:
    """The model as TensorFlow Lite runs it. Its batch is fixed by the first input."""

    def __init__(self, network, threads: int):
        content = tf.lite.TFLiteConverter.from_keras_model(network).convert()
        self._interpreter = tf.lite.Interpreter(model_content=content, num_threads=threads)
        self._input = self._interpreter.get_input_details()[0]["index"]
        self._output = self._interpreter.get_output_details()[0]["index"]
        self._tensor, self._array = None, None

    def __call__(self, x) -> np.ndarray:
        if x is not self._tensor:
            self._tensor, self._array = x, x.numpy()
            self._interpreter.resize_tensor_input(self._input, x.shape)
            self._interpreter.allocate_tensors()
        self._interpreter.set_tensor(self._input, self._array)
        self._interpreter.invoke()
        return self._interpreter.get_tensor(self._output)


def _build(model: str, weights, policy: str = "float32") -> keras.Sequential:
    inputs = (784,) if model == "mlp" else (28, 28, 1)
    network = keras.Sequential([keras.Input(inputs)])
    for place, (kind, *arguments) in enumerate(layers.MODELS[model]):
        last = place == len(layers.MODELS[model]) - 1
        dtype = "float32" if last and policy.startswith("mixed") else policy
        if kind == "rescale":
            network.add(keras.layers.Rescaling(arguments[0], dtype=dtype))
        elif kind == "conv":
            shape = weights[f"{arguments[0]}/kernel"].shape
            network.add(keras.layers.Conv2D(shape[3], shape[:2], name=arguments[0], dtype=dtype))
        elif kind == "dense":
            units = weights[f"{arguments[0]}/kernel"].shape[1]
            network.add(keras.layers.Dense(units, name=arguments[0], dtype=dtype))
        else:
            made = {
                "relu": keras.layers.ReLU,
                "pool": keras.layers.MaxPooling2D,
                "flatten": keras.layers.Flatten,
                "softmax": keras.layers.Softmax,
            }
            network.add(made[kind](dtype=dtype))
    for layer in network.layers:
        if layer.weights:
            layer.set_weights([weights[f"{layer.name}/kernel"], weights[f"{layer.name}/bias"]])
    return network


def _weights(network) -> dict[str, np.ndarray]:
    return {f"{layer.name}/{v.name}": v.numpy() for layer in network.layers for v in layer.trainable_variables}


def _optimizer(name: str):
    return keras.optimizers.Adam(1e-3, 0.9, 0.999, 1e-7) if name == "adam" else keras.optimizers.SGD(layers.SGD_RATE)


class Trainer:
    def __init__(self, network, optimizer: str, traced: bool, policy: str = "float32"):
        self._network = network
        rule = _optimizer(optimizer)
        scaled = policy == "mixed_float16"
        if scaled:
            rule = keras.optimizers.LossScaleOptimizer(rule)
        variables = network.trainable_variables
        rule.build(variables)

        def gradients(x, labels):
            with tf.GradientTape() as tape:
                logits = network(x, training=True)
                loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels, logits))
                to_differentiate = rule.scale_loss(loss) if scaled else loss
            return loss, logits, tape.gradient(to_differentiate, variables)

        def step(x, labels):
            loss, logits, found = gradients(x, labels)
            rule.apply_gradients(zip(found, variables, strict=True))
            correct = tf.reduce_sum(tf.cast(tf.equal(tf.argmax(logits, 1, labels.dtype), labels), tf.float32))
            return loss, correct

        self._gradients = tf.function(gradients) if traced else gradients
        self._step = tf.function(step) if traced else step
        inner = rule.inner_optimizer.variables if scaled else []
        unique = {id(variable): variable for variable in [*network.variables, *rule.variables, *inner]}
        self._state = list(unique.values())
        self._initial = [variable.numpy() for variable in self._state]

    def restore(self) -> None:
        for variable, value in zip(self._state, self._initial, strict=True):
            variable.assign(value)

    def step(self, x, labels) -> tuple[float, float]:
        loss, correct = self._step(x, labels)
        return float(loss.numpy()), float(correct.numpy())

    def gradients(self, x, labels):
        loss, _, found = self._gradients(x, labels)
        return loss.numpy(), dict(zip(_weights(self._network), (g.numpy() for g in found), strict=True))

    def weights(self) -> dict[str, np.ndarray]:
        return _weights(self._network)
