"""Fixtures of all Python tests."""

import json
import stat
import sys

import pytest
from program import ROOT, TOY, TOY_BODY, toy_catalogue


@pytest.fixture
def toy(tmp_path):
    """A factory: toy(body, **changes of the scenario) writes the program and returns its path."""

    def make(body=TOY_BODY, name="toy", **changes):
        path = tmp_path / name
        path.write_text(TOY.format(python=sys.executable, catalogue=repr(toy_catalogue(**changes)), body=body))
        path.chmod(path.stat().st_mode | stat.S_IXUSR)
        return path

    return make


@pytest.fixture(scope="session")
def schema():
    return json.loads((ROOT / "results/schema/run-1.schema.json").read_text())
