"""Weight files beside the reference implementation: the same bytes from the same tensors, and the same files refused."""

import json
import struct

import pytest
from program import ROOT, assay
from safetensors import SafetensorError, safe_open
from safetensors.numpy import load_file, save_file

W = {"dtype": "F32", "shape": [2], "data_offsets": [0, 8]}


@pytest.fixture(scope="module")
def weights(tmp_path_factory):
    folder = tmp_path_factory.mktemp("weights")
    done = assay("case", "tracing.seed_weights", "--out", folder)
    assert done.returncode == 0, done.stderr
    return folder / "weights.safetensors"


def test_the_reference_reads_what_assay_writes_and_writes_the_same_bytes(weights, tmp_path):
    tensors = load_file(weights)
    assert {name: tensor.shape for name, tensor in tensors.items()} == {
        "dense_0/kernel": (784, 128), "dense_0/bias": (128,),
        "dense_1/kernel": (128, 64), "dense_1/bias": (64,),
        "dense_2/kernel": (64, 10), "dense_2/bias": (10,),
    }  # fmt: skip
    save_file(tensors, tmp_path / "again.safetensors")
    assert (tmp_path / "again.safetensors").read_bytes() == weights.read_bytes()


def file_of(header, values=b"\0" * 8):
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    return struct.pack("<Q", len(text)) + text + values


def named(count, text):
    return b'{"t":' + b"[" * count + b"]" * count + text


REFUSED = {
    "empty": b"",
    "length alone": struct.pack("<Q", 60),
    "header above 100 MB": struct.pack("<Q", 100_000_001) + b"{}",
    "no UTF-8": file_of(b"\xff"),
    "no JSON": file_of(b"{"),
    "array": file_of(b"[]"),
    "byte order mark": file_of(b"\xef\xbb\xbf{}", b""),
    "zero byte after the header": file_of(b"{}\0", b""),
    "no dtype": file_of({"t": {"shape": [2], "data_offsets": [0, 8]}}),
    "unknown dtype": file_of({"t": {**W, "dtype": "F8"}}),
    "negative dimension": file_of({"t": {**W, "shape": [-2]}}),
    "dimension with a fraction": file_of({"t": {**W, "shape": [2.0]}}),
    "three offsets": file_of({"t": {**W, "data_offsets": [0, 8, 8]}}),
    "field twice": file_of(b'{"t":{"dtype":"F32","dtype":"F32","shape":[2],"data_offsets":[0,8]}}'),
    "metadata that is no text": file_of({"__metadata__": {"rows": 7}, "t": W}),
    "nested": file_of(named(60000, b"}")),
    "nested in an unknown field": file_of(b'{"t":{"x":' + b"[" * 60000 + b"]" * 60000 + b"}}"),
    "gap": file_of({"t": {**W, "data_offsets": [1, 9]}}, b"\0" * 9),
    "overlap": file_of({"t": W, "u": W}),
    "offsets in reverse": file_of({"t": {**W, "data_offsets": [8, 0]}}),
    "bytes after the values": file_of({"t": W}, b"\0" * 12),
    "values cut off": file_of({"t": W}, b"\0" * 6),
    "another size": file_of({"t": {**W, "shape": [3]}}),
    "elements overflow": file_of({"t": {**W, "shape": [2, 2**64 - 2]}}),
    "bits overflow": file_of({"t": {**W, "shape": [2, 2**63 - 1]}}),
    "half a byte": file_of({"t": {"dtype": "F4", "shape": [15], "data_offsets": [0, 8]}}),
}


@pytest.mark.parametrize("fault", REFUSED)
def test_what_the_reference_refuses_is_refused_by_name(fault, tmp_path):
    file = tmp_path / "wrong.safetensors"
    file.write_bytes(REFUSED[fault])
    with pytest.raises(SafetensorError):
        safe_open(file, "numpy")
    assert_refused(file, tmp_path, str(file))


def assert_refused(file, folder, said):
    done = assay("case", "tracing.fit", "--artifact", f"weights={file}", "--out", folder, "--data", ROOT / "data/mnist")
    assert done.returncode == 1, done.stderr
    last = json.loads(done.stdout.splitlines()[-1])
    assert last["status"] == "failed"
    assert said in last["reason"]


def test_a_tensor_that_stands_twice_is_refused_although_the_reference_takes_the_last(tmp_path):
    # The format forbids duplicate keys; its reference implementation does not look.
    file = tmp_path / "twice.safetensors"
    file.write_bytes(file_of(b'{"t":%s,"t":%s}' % ((json.dumps(W).encode(),) * 2)))
    assert_refused(file, tmp_path, "'t' twice")
