import copy
import json
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))
SAMPLE = json.loads((Path(__file__).parent / "sample_run.json").read_text(encoding="utf-8"))


@pytest.fixture
def document() -> dict:
    """A copy of the sample document that a test may change."""
    return copy.deepcopy(SAMPLE)


@pytest.fixture
def draw(tmp_path):
    """Draws a document and returns the report's folder."""
    from plots.document import load
    from plots.page import write_report

    def drawn(document: dict, name: str = "run") -> Path:
        folder = tmp_path / name
        folder.mkdir()
        (folder / "run.json").write_text(json.dumps(document), encoding="utf-8")
        return write_report(load(folder), folder / "report").parent

    return drawn


@pytest.fixture(scope="session")
def report(tmp_path_factory) -> Path:
    """The sample document's report, drawn once."""
    from plots.document import load
    from plots.page import write_report

    folder = tmp_path_factory.mktemp("sample")
    (folder / "run.json").write_text(json.dumps(SAMPLE), encoding="utf-8")
    return write_report(load(folder), folder / "report").parent
