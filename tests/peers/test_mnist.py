"""The reader of MNIST against known digits, and its errors for damaged files."""

import gzip

import numpy as np
import pytest
from program import ROOT

from peers import mnist

DATA = ROOT / "data/mnist"


def test_the_first_digits_are_those_of_mnist():
    pixels, labels = mnist.split(DATA, "train", 10)
    assert labels.tolist() == [5, 0, 4, 1, 9, 2, 1, 3, 1, 4]
    assert pixels.shape == (10, 28, 28, 1)
    assert pixels.dtype == np.float32
    assert (pixels.min(), pixels.max()) == (0, 255)
    assert pixels[0, 5, 12:16, 0].tolist() == [3, 18, 18, 18]  # the first stroke of the famous 5
    assert mnist.split(DATA, "t10k", 5)[1].tolist() == [7, 2, 1, 0, 4]


def test_scaling_is_a_division_by_255_in_float32():
    pixels, _ = mnist.split(DATA, "train", 1)
    flat = mnist.flat(pixels)
    assert flat.shape == (1, 784)
    assert flat.dtype == np.float32
    assert flat[0, 5 * 28 + 13] == np.float32(18) / np.float32(255)
    assert np.array_equal(mnist.scaled(pixels).reshape(1, 784), flat)


def idx(content: bytes, tmp_path):
    path = tmp_path / "file.gz"
    path.write_bytes(gzip.compress(content))
    return path


def test_an_idx_file_is_its_elements_in_their_shape(tmp_path):
    path = idx(b"\0\0\x08\x02" + b"\0\0\0\x02" + b"\0\0\0\x03" + bytes(range(6)), tmp_path)
    assert mnist.read_idx(path).tolist() == [[0, 1, 2], [3, 4, 5]]


@pytest.mark.parametrize(
    "content, says",
    [
        (b"", "expected the IDX header 00 00 08, found "),
        (b"\0\0\x0d\x01\0\0\0\x01" + b"1234", "expected the IDX header 00 00 08, found 00 00 0d"),
        (b"\0\0\x08\x01\0\0\0\x05" + b"1234", "expected [5] elements, found 4"),
        (b"\0\0\x08\x02\0\0", "elements"),
    ],
)
def test_a_file_that_is_no_idx_is_refused_by_name(content, says, tmp_path):
    path = idx(content, tmp_path)
    with pytest.raises(mnist.BadData, match="file.gz") as caught:
        mnist.read_idx(path)
    assert says in str(caught.value)


def test_plain_files_are_read_by_their_content_and_found_by_either_name(tmp_path):
    images, labels = b"\0\0\x08\x03" + b"\0\0\0\x01" + b"\0\0\0\x1c" * 2 + bytes(784), b"\0\0\x08\x01\0\0\0\x01\x07"
    (tmp_path / "train-images-idx3-ubyte").write_bytes(images)
    (tmp_path / "train-labels-idx1-ubyte.gz").write_bytes(labels)
    assert mnist.split(tmp_path, "train", 1)[1].tolist() == [7]


def test_what_is_missing_or_broken_gzip_is_refused(tmp_path):
    (tmp_path / "broken").write_bytes(gzip.compress(b"\0\0\x08\x01")[:-9] + b"12345678x")
    for name in ("broken", "none"):
        with pytest.raises(mnist.BadData, match="expected an IDX file, plain or gzipped"):
            mnist.read_idx(tmp_path / name)


def test_too_few_rows_are_refused_with_their_number():
    with pytest.raises(mnist.BadData, match="expected at least 100000 rows of t10k, found 3000"):
        mnist.split(DATA, "t10k", 100000)
