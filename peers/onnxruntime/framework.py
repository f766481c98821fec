"""ONNX Runtime: calls only. The model is built here from the weights, so that no other framework converts it."""

import numpy as np
import onnxruntime
from onnx import TensorProto, helper, numpy_helper

from peers import layers

OPSET = 17


class Framework:
    calls = {
        "traced": "session.run on an array, outputs as arrays; the graph was optimized when the session was made",
        "fastest": "run_with_iobinding on input and output arrays that are bound once; the graph was optimized when the "
        "session was made",
    }
    batch_way = "fastest"

    def __init__(self, threads: int):
        self._threads = threads

    def tensor(self, array: np.ndarray):
        return np.ascontiguousarray(array)

    def array(self, output) -> np.ndarray:
        return output

    def identity(self, way: str = "traced"):
        graph = helper.make_graph(
            [helper.make_node("Identity", ["x"], ["y"])], "identity", [_value("x", [1, 1])], [_value("y", [1, 1])]
        )
        call, one = self._call(graph, way), np.ones((1, 1), np.float32)
        return lambda: call(one)

    def caller(self, model: str, weights, way: str):
        return self._call(_graph(model, weights), way)

    def _call(self, graph, way: str):
        session = self._session(graph)
        if way == "fastest":
            return BoundCall(session)
        return lambda x: session.run(None, {"x": x})[0]

    def _session(self, graph):
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", OPSET)], ir_version=10)
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = self._threads
        options.log_severity_level = 3
        return onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])


class BoundCall:
    """Calls a session with arrays that stay bound: the input is read and the output written where they are."""

    def __init__(self, session):
        self._session, self._bound, self._binding = session, None, session.io_binding()

    def __call__(self, x: np.ndarray) -> np.ndarray:
        if x is not self._bound:
            self._bind(x)
        self._session.run_with_iobinding(self._binding)
        return self._output

    def _bind(self, x: np.ndarray) -> None:
        output = self._session.get_outputs()[0]
        self._bound, self._output = x, np.empty((len(x), output.shape[1]), np.float32)
        self._binding.bind_cpu_input("x", x)
        self._binding.bind_output(
            output.name, "cpu", 0, np.float32, self._output.shape, self._output.ctypes.data
        )


def _value(name: str, shape: list):
    return helper.make_tensor_value_info(name, TensorProto.FLOAT, shape)


def _graph(model: str, weights):
    """Its convolutions are rows x channels x height x width: with one channel the same bytes as what comes in, and the first
    dense layer's kernel is put into that order once, here, instead of the activations at every call."""
    nodes, constants = [], []
    now, channels, flattened = "x", 1, False

    def constant(name: str, value) -> str:
        constants.append(numpy_helper.from_array(np.ascontiguousarray(value, dtype=np.asarray(value).dtype), name))
        return name

    def add(operator: str, *inputs: str, **attributes) -> None:
        nonlocal now
        output = f"{len(nodes)}_{operator}"
        nodes.append(helper.make_node(operator, [now, *inputs], [output], **attributes))
        now = output

    if model != "mlp":
        add("Reshape", constant("image", np.array([-1, 1, 28, 28], np.int64)))
    for kind, *arguments in layers.MODELS[model]:
        if kind in ("conv", "dense"):
            name = arguments[0]
            kernel, bias = weights[f"{name}/kernel"], constant(f"{name}/bias", weights[f"{name}/bias"])
        if kind == "rescale":
            add("Mul", constant("factor", np.float32(arguments[0])))
        elif kind == "conv":
            add("Conv", constant(f"{name}/kernel", kernel.transpose(3, 2, 0, 1)), bias)
            channels = kernel.shape[3]
        elif kind == "dense":
            if flattened:
                side = round((kernel.shape[0] / channels) ** 0.5)
                kernel = kernel.reshape(side, side, channels, -1).transpose(2, 0, 1, 3).reshape(kernel.shape)
                flattened = False
            add("Gemm", constant(f"{name}/kernel", kernel), bias)
        elif kind == "pool":
            add("MaxPool", kernel_shape=[2, 2], strides=[2, 2])
        elif kind == "flatten":
            add("Flatten")
            flattened = True
        else:
            add({"relu": "Relu", "softmax": "Softmax"}[kind], **({"axis": 1} if kind == "softmax" else {}))
    inputs = ["rows", 784] if model == "mlp" else ["rows", 28, 28, 1]
    return helper.make_graph(nodes, model, [_value("x", inputs)], [_value(now, ["rows", 10])], constants)
