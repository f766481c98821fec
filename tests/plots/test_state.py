"""The machine's state in a report: concerns beside the verdicts, the doctor's findings, readings with units, ranges."""

import html
import re

from program import assay
from test_report import bare, once, read


def test_what_made_the_machine_doubtful_stands_beside_the_verdicts_and_with_the_machine(report, document):
    (concern,) = document["state"]["concerns"]
    for content in read(report):
        head, _, machine = content.partition("The machine and its noise")
        assert head.index("The machine was not quiet:") < head.index(concern) < head.index("pieces of advice")
        assert "fit for measuring, but not quiet. Process backup (812) uses 31 % of a core (before the run)." in machine
        assert "The machine was fit for measuring." not in content


def test_a_quiet_machine_is_fit_without_a_but(draw, document):
    bare(document)["state"]["concerns"] = []
    for content in read(draw(document)):
        assert "The machine was fit for measuring." in content and "not quiet" not in content


def test_the_doctor_has_a_table_of_what_is_not_ok_and_readings_have_units(report, document):
    page, text = read(report)
    for state in (document["state"]["before"], document["state"]["after"]):
        for one in state["doctor"]:
            if one["verdict"] != "ok":
                assert f"| {one['name']} | {one['value']} | {one['verdict']} | {one['effect']} |" in text
                assert html.escape(one["effect"]) in page
    assert "| load | 17.0 % busy with others, load average 0.12 | doubtful |" in text
    assert "further findings always ok: build, processors, cgroup quota," in text
    assert "| processor time in use, this run asleep | 17 % | 2 % |" in text
    assert "| load average | 0.12 (1 min), 0.3 (5 min), 0.25 (15 min) | 1.7 (1 min), 1.2 (5 min), 0.6 (15 min) |" in text
    assert "| busy processes | backup (812) 31 % of a core | none |" in text
    assert "| swap in use | 1.5 GiB | 1.5 GiB |" in text
    assert "| turbo | – (not readable: neither intel" in text
    longest = max(len(cell) for line in text.splitlines() if line.startswith("| ") for cell in line.split(" | "))
    assert longest < 400


def test_the_state_at_a_resumption_has_a_column_and_rows(draw, document):
    state = bare(document)["state"]
    state["resumed"] = [dict(state["after"], swap_used_bytes=0, doctor=[dict(state["before"]["doctor"][0], verdict="unfit")])]
    _, text = read(draw(document))
    assert "| Reading | Before | Resumed | After |" in text
    assert "| swap in use | 1.5 GiB | 0 B | 1.5 GiB |" in text
    assert re.search(r"\| build \| .* \| unfit \| .* \| resumed \|", text)


def test_the_line_that_installs_a_peer_stands_where_none_ran(report):
    for content in read(report):
        assert content.index("./assay peers install tensorflow") < content.index("Holds if")


def test_what_one_process_measured_several_times_shows_its_range(draw, document):
    some = document["processes"][:1]
    bare(document)
    document["values"] += [once("tracing.trace_cost", "dispatch_an_operation", 220e3, "ns")]
    document["processes"] = [
        {
            **process,
            "configuration": "tracing.trace_cost",
            "used": True,
            "status": "ok",
            "events": [
                {
                    "event": "samples",
                    "metric": "dispatch_an_operation",
                    "unit": "ns",
                    "better": "lower",
                    "values": [180e3, 220e3, 310e3],
                    "warmup": 0,
                }
            ],
        }
        for process in some
    ]
    for content in read(draw(document)):
        assert "3 repetitions, 180 µs to 310 µs" in content


def test_a_real_run_is_drawn(toy, tmp_path, document):
    """The document that this build's program writes, its machine's state as it is here."""
    from plots.document import load
    from plots.page import write_report

    done = assay("run", "--program", toy(), "--profile", "quick", "--out", tmp_path / "run", "--no-report")
    assert done.returncode == 0, done.stderr
    run = load(tmp_path / "run")
    page, text = read(write_report(run, tmp_path / "report").parent)
    state = run["state"]
    assert {"doctor", "load_average", "busy_processes", "steal_share"} <= set(state["before"])
    for concern in state["concerns"]:
        assert html.escape(concern) in page
    for one in state["before"]["doctor"]:
        assert (one["verdict"] == "ok") or f"| {one['name']} |" in text
        assert one["name"] in text
    assert set(document["state"]["before"]) == set(state["before"])
    assert {one["name"] for one in document["state"]["before"]["doctor"]} == {one["name"] for one in state["before"]["doctor"]}
