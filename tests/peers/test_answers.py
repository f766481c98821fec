"""How a peer's answers are compared with assay's."""

import numpy as np
import pytest

from peers.answers import load, max_relative_error, relative_error, save


def test_relative_error_is_the_largest_difference_over_the_largest_value():
    assert relative_error(np.array([1.0, -4.5]), np.array([1.25, -4.0])) == 0.5 / 4.0
    assert relative_error(np.array([2.0]), np.array([2.0])) == 0
    assert relative_error(np.zeros(3), np.zeros(3)) == 0


def test_what_cannot_be_compared_is_infinitely_wrong():
    assert relative_error(np.array([np.nan]), np.array([1.0])) == float("inf")
    assert relative_error(np.array([np.inf]), np.array([1.0])) == float("inf")
    assert relative_error(np.zeros(2), np.zeros(3)) == float("inf")
    assert relative_error(np.zeros((1, 2)), np.zeros((2, 1))) == float("inf")


def test_the_largest_error_of_all_tensors_counts_and_none_may_be_missing():
    expected = {"loss": np.array([9.0]), "gradient/a": np.array([1.0]), "gradient/b": np.array([2.0])}
    found = {"a": np.array([1.0]), "b": np.array([2.5])}
    assert max_relative_error(found, expected, "gradient/") == 0.25
    assert max_relative_error({"a": found["a"]}, expected, "gradient/") == float("inf")
    nothing = max_relative_error(found, {"loss": expected["loss"]}, "gradient/")
    assert nothing == float("inf"), "a prefix without tensors compares nothing"


def test_weights_are_kept_as_they_are(tmp_path):
    pytest.importorskip("safetensors", reason="safetensors is in each peer's environment: ./assay peers install jax")
    weights = {
        "dense_0/kernel": np.arange(6, dtype=np.float32).reshape(3, 2).T,
        "dense_0/bias": np.array([0.5], np.float32),
    }
    save(tmp_path / "w.safetensors", weights)
    again = load(tmp_path / "w.safetensors")
    assert set(again) == set(weights)
    for name, value in weights.items():
        assert np.array_equal(again[name], value)
