"""The table of assay's times beside other frameworks'."""

from plots.document import Run
from plots.peer_tables import against

ROW = {
    "scenario": "tracing",
    "configuration": "tracing.step{mode=eager}",
    "metric": "step_time",
    "unit": "ns",
    "better": "lower",
    "program": "assay",
    "peer": "tensorflow{onednn=off}",
    "form": "ratio",
    "margin": 0.05,
    "ours": 3.2e5,
    "theirs": 1.6e6,
    "call_overhead": 3.1e5,
    "per": "round",
    "n": 6,
    "samples": [0.2] * 6,
    "estimate": 0.2,
    "low": 0.19,
    "high": 0.21,
    "confidence": 0.96875,
    "verdict": "improved",
    "reason": "",
    "checks_failed": [],
    "minimum_detectable_effect": None,
    "rounds_to_settle": None,
    "paired_rows": [],
    "without_call_overhead": {
        "estimate": 0.25,
        "low": 0.24,
        "high": 0.26,
        "confidence": 0.96875,
        "verdict": "improved",
        "reason": "",
    },
}
INVALID = ROW | {
    "peer": "jax",
    "samples": [],
    "estimate": None,
    "low": None,
    "high": None,
    "confidence": None,
    "verdict": "invalid",
    "reason": 'jax:tracing.step{mode=eager}: check "loss equals assay\'s" failed',
    "without_call_overhead": None,
    "n": 0,
}


def test_a_row_has_both_times_and_both_ratios(document):
    document["against"] = [ROW, INVALID, ROW | {"scenario": "other"}]
    table = against(Run(document), "tracing")
    assert len(table.rows) == 2
    work, peer, ours, theirs, ratio, less, verdict = table.rows[0]
    assert (work.text, work.note, peer.text) == ("step{mode=eager}", "step time", "tensorflow{onednn=off}")
    assert (ours.text, theirs.text) == ("320 µs", "1.6 ms")
    assert ratio.text.startswith("0.2")
    assert less.text.startswith("0.25")
    assert less.note == "call overhead 310 µs"
    assert verdict.text == "improved"


def test_a_peer_whose_answers_differ_has_no_ratio_but_its_reason(document):
    document["against"] = [INVALID]
    (line,) = against(Run(document), "tracing").rows
    assert line[4].text == line[5].text == "–"
    assert (line[6].text, line[6].note) == ("invalid", INVALID["reason"])


def test_a_document_without_peers_has_no_such_table(document):
    document["against"] = []
    assert against(Run(document), "tracing").rows == []


def test_the_report_holds_the_table(document, draw):
    document["against"] = [ROW, INVALID]
    folder = draw(document)
    for name in ("index.html", "report.md"):
        text = (folder / name).read_text(encoding="utf-8")
        assert "Beside other frameworks" in text
        assert "tensorflow{onednn=off}" in text
