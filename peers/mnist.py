"""The embedded digits: IDX files of a folder as arrays."""

import gzip
import zlib
from pathlib import Path

import numpy as np

_DTYPES = {8: np.uint8}  # the only element type that MNIST's files have


class BadData(Exception):
    """Names the file, what was expected and what was found."""


def read_idx(path: Path) -> np.ndarray:
    """One IDX file, plain or gzipped: two zero bytes, element type, number of axes, big-endian sizes, elements."""
    try:
        content = path.read_bytes()
        if content[:2] == b"\x1f\x8b":
            content = gzip.decompress(content)
    except (OSError, EOFError, zlib.error) as error:
        raise BadData(f"{path}: expected an IDX file, plain or gzipped, found: {error}") from None
    if len(content) < 4 or content[:2] != b"\0\0" or content[2] not in _DTYPES:
        raise BadData(f"{path}: expected the IDX header 00 00 08, found {content[:3].hex(' ')}")
    axes = content[3]
    shape = np.frombuffer(content, ">u4", axes, 4) if len(content) >= 4 + 4 * axes else []
    elements = np.frombuffer(content, _DTYPES[content[2]], offset=4 + 4 * len(shape))
    if len(shape) != axes or elements.size != np.prod(shape, dtype=np.int64):
        raise BadData(f"{path}: expected {list(map(int, shape))} elements, found {elements.size}")
    return elements.reshape(shape)


def find_file(folder: Path, name: str) -> Path:
    """A file of MNIST with or without .gz at the end of its name."""
    gzipped = folder / f"{name}.gz"
    return gzipped if gzipped.exists() else folder / name


def split(folder: Path, name: str, rows: int) -> tuple[np.ndarray, np.ndarray]:
    """The first `rows` rows of `train` or `t10k`, original order: pixels float32 0 to 255 [rows, 28, 28, 1], labels int32."""
    pixels = read_idx(find_file(folder, f"{name}-images-idx3-ubyte"))
    labels = read_idx(find_file(folder, f"{name}-labels-idx1-ubyte"))
    if len(pixels) < rows or len(labels) < rows:
        raise BadData(f"{folder}: expected at least {rows} rows of {name}, found {min(len(pixels), len(labels))}")
    return pixels[:rows, :, :, None].astype(np.float32), labels[:rows].astype(np.int32)


def flat(pixels: np.ndarray) -> np.ndarray:
    """Pixels / 255 as rows of 784: what a dense model takes."""
    return (pixels / np.float32(255)).reshape(len(pixels), -1)


def scaled(pixels: np.ndarray) -> np.ndarray:
    return pixels / np.float32(255)
