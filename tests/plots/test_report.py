"""What a drawn report holds: everything of the document, escaped, self-contained, the same bytes twice."""

import hashlib
import html
import re
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import pytest

HOSTILE = """<script>alert('x')</script> | `a` "q" $x^2$ </svg> *b* & é [x](javascript:1)"""


def read(report: Path) -> tuple[str, str]:
    return (report / "index.html").read_text(encoding="utf-8"), (report / "report.md").read_text(encoding="utf-8")


def bare(document: dict) -> dict:
    """Without what takes long to draw, where that is not in question."""
    document["processes"], document["values"], document["comparisons"] = [], [], []
    return document


def digest(report: Path) -> dict[str, str]:
    return {
        str(path.relative_to(report)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(report.rglob("*"))
        if path.is_file()
    }


def test_every_comparison_value_claim_and_control_is_on_both_pages(report, document):
    page, text = read(report)
    names = [row["id"] for row in document["comparisons"]] + [row["id"] for row in document["claims"]]
    names += [row["name"] for row in document["controls"]] + [
        row["configuration"].split(".", 1)[1] for row in document["values"]
    ]
    for name in names:
        assert html.escape(name) in page, name
        assert name in text, name


def test_numbers_stand_as_people_read_them(report):
    for content in read(report):
        assert "1.157× [1.124, 1.172]" in content  # tracing.eager_step
        assert "727 [695, 742] µs" in content  # tracing.step
        assert "21.4 GB/s" in content
        assert "81.2 %" in content


def test_headline_and_loneliness_come_first(report, document):
    page, text = read(report)
    verdicts = [claim["verdicts"][0]["advice"] for claim in document["claims"]]
    counted = f"Of {len(verdicts)} pieces of advice, {verdicts.count('holds')} hold"
    for content in (page, text):
        assert content.index(counted) < content.index("No other framework took part in this run") < content.index("Verdicts")


def test_reasons_of_what_was_not_measured(report, document):
    page, text = read(report)
    for row in document["failures"] + document["skipped"]:
        assert html.escape(row["reason"]) in page
        assert row["reason"] in text
    for row in document["comparisons"]:
        if row["verdict"] == "invalid":
            assert html.escape(row["reason"]) in page.replace("&#39;", "&#x27;").replace("&#34;", "&quot;")


def test_what_is_not_tested_is_listed_by_section(report, document):
    page, text = read(report)
    open_claims = [
        claim
        for claim in document["claims"]
        if claim["section"] == 8 and claim["verdicts"][0]["advice"] == "not tested yet"
    ]
    assert open_claims
    assert "<strong>Pruning and distillation</strong>" in page
    line = next(line for line in text.splitlines() if line.startswith("- **Pruning and distillation**"))
    assert all(claim["id"] in line and claim["advice"] in line for claim in open_claims)


def test_the_page_asks_nobody_for_anything(report):
    page, _ = read(report)
    assert not re.search(r"https?:|//[a-z]|<script|<link|<img|<iframe|@import|\bsrc=", page, re.IGNORECASE)
    assert set(re.findall(r"url\((.)", page)) <= {"#"}


def test_ids_are_unique_and_references_resolve(report):
    page, _ = read(report)
    ids = re.findall(r'\sid="([^"]+)"', page)
    assert len(ids) == len(set(ids))
    used = re.findall(r'href="#([^"]+)"', page) + re.findall(r"url\(#([^)]+)\)", page)
    assert used and set(used) <= set(ids)


class Tags(HTMLParser):
    VOID = {"meta", "br", "use"}

    def __init__(self):
        super().__init__()
        self.open, self.seen = [], []

    def handle_starttag(self, tag, attributes):
        self.seen.append((tag, dict(attributes)))
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.seen.append((tag, dict(attributes)))

    def handle_endtag(self, tag):
        if tag not in self.VOID:
            assert self.open.pop() == tag


def test_the_page_is_well_formed_and_semantic(report):
    tags = Tags()
    tags.feed(read(report)[0])
    assert tags.open == []
    names = [tag for tag, _ in tags.seen]
    assert names.count("table") == names.count("caption") > 5
    assert all("scope" in attributes for tag, attributes in tags.seen if tag == "th")
    assert names.count("figure") == names.count("figcaption") == names.count("svg") > 5
    assert all(
        attributes.get("role") == "img" and attributes.get("aria-label")
        for tag, attributes in tags.seen
        if tag == "svg"
    )
    assert ("html", {"lang": "en"}) in tags.seen


def test_inline_figures_take_the_colours_of_the_page(report):
    page, _ = read(report)
    figures = "".join(re.findall(r"<svg.*?</svg>", page, re.DOTALL))
    assert "var(--ink)" in figures and "var(--series-0)" in figures
    assert re.findall(r"#[0-9a-f]{6}\b", figures) == []


def test_figures_are_files_and_named_in_the_markdown(report):
    _, text = read(report)
    linked = re.findall(r"\]\((figures/[^)]+\.svg)\)", text)
    assert linked and {path.name for path in (report / "figures").glob("*.svg")} == {Path(name).name for name in linked}
    for name in linked:
        root = ElementTree.parse(report / name).getroot()
        assert root.tag == "{http://www.w3.org/2000/svg}svg"
        assert root.find("{http://www.w3.org/2000/svg}title").text
        assert (report / name).with_suffix(".png").read_bytes().startswith(b"\x89PNG")


def test_markdown_tables_are_rectangular(report):
    _, text = read(report)
    for block in re.findall(r"(?:^\|.*\n)+", text, re.MULTILINE):
        widths = {len(re.findall(r"(?<!\\)\|", line)) for line in block.splitlines()}
        assert len(widths) == 1, block
        assert len(block.splitlines()) > 2


def test_drawing_twice_gives_the_same_bytes(draw, document):
    assert digest(draw(document, "one")) == digest(draw(document, "two"))


def test_hostile_strings_stay_text(draw, document):
    document["scenarios"][1]["question"] = HOSTILE
    document["claims"][1]["advice"] = HOSTILE
    document["claims"][0]["advice"] = HOSTILE
    document["claims"][1]["published"]["text"] = HOSTILE
    document["failures"][0]["reason"] = HOSTILE
    document["controls"][0]["reason"] = HOSTILE
    document["machine"]["identity"]["cpu"] = HOSTILE
    document["state"].update(fit=False, reasons=[HOSTILE])
    document["note"] = HOSTILE
    for row in document["values"] + document["processes"] + document["comparisons"]:
        for key in ("configuration", "baseline", "candidate"):
            if row.get(key) == "tracing.step{mode=eager}":
                row[key] = "tracing.step{mode=<script>alert(1)</script>|`x`}"
    for process in document["processes"]:
        for event in process["events"]:
            if event["event"] == "choice":
                event["value"] = {HOSTILE: HOSTILE}
            if event["event"] == "check":
                event["name"] = HOSTILE
            if event["event"] == "series":
                event["name"], event["y"]["name"] = HOSTILE, HOSTILE
    report = draw(document)
    page, text = read(report)
    tags = Tags()
    tags.feed(page)
    assert tags.open == [] and "script" not in [tag for tag, _ in tags.seen]
    assert "<script" not in page and "&lt;script&gt;" in page
    assert re.search(r"\[x\\\]\(javascript", text) and "[x](" not in re.sub(r"(`+).*?\1", "", text)
    outside = re.sub(r"(`+).*?\1", "", text)  # code spans show everything as it is
    assert "<script" not in outside
    test_markdown_tables_are_rectangular(report)
    for path in (report / "figures").glob("*.svg"):
        assert all("script" not in element.tag for element in ElementTree.parse(path).iter())


PEERS = ("tensorflow{onednn=off}", "tensorflow{onednn=on}", "pytorch", "jax", "onnxruntime")


def with_peers(document: dict) -> dict:
    """Six programs: each peer takes as much longer as its place says; the last can test nothing."""
    for place, name in enumerate(PEERS, start=2):
        document["programs"].append({**document["programs"][0], "name": name})
        for claim in document["claims"]:
            found = {**claim["verdicts"][0], "program": name}
            if name == PEERS[-1] and found["advice"] != "not tested yet":
                found.update(advice="not testable here", figure="not testable", reason="it trains no model")
                found.update(estimate=None, low=None, high=None)
            claim["verdicts"].append(found)
        for row in [row for row in document["values"] if row["program"] == "assay" and row["metric"] == "call_time"]:
            row = {**row, "program": name, "samples": [place * sample for sample in row["samples"]]}
            row.update({key: row[key] * place for key in ("median", "low", "high")})
            document["values"].append(row)
        document["processes"] += [
            {**process, "program": name}
            for process in document["processes"]
            if process["program"] == "assay" and process["configuration"].startswith("tracing.call")
        ]
    return document


def test_six_programs_have_a_column_each(draw, document):
    page, text = read(draw(with_peers(document)))
    columns = ("Advice", "Published", "assay", "tensorflow, onednn off", "tensorflow, onednn on", *PEERS[2:])
    assert f"| {' | '.join(columns)} |" in text
    assert "fails (1.157× [1.124, 1.172]; figure: same direction)" in text
    assert "No other framework took part" not in page and 'class="headline"' not in page
    assert "| tensorflow, onednn off | 2 | 6 | 1 | 1 | 24 |" in text
    assert "| it trains no model | onnxruntime | `tracing.loop_equivalence, tracing.eager_step" in text


def test_the_same_work_in_several_programs_is_a_bar_each(draw, document):
    with_peers(document)
    overhead = next(row for row in document["values"] if row["program"] == "jax" and row["metric"] == "call_time")
    document["values"].append({**overhead, "metric": "call_overhead", "median": overhead["median"] / 2})
    page, _ = read(draw(document))
    label = re.search(r'aria-label="(Bars, time of a call: [^"]*)"', page).group(1)
    assert "traced: assay 38.4 [36.6, 40.5] µs, tensorflow, onednn off 76.8 [73.2, 81.0] µs" in label
    assert label.count("jax 1,067 [1,034, 1,106] µs (533 µs)") == 1 and label.count(" µs (") == 1


def test_controls_off_are_rows_against_everything_on(draw, document):
    base = next(row for row in document["values"] if row["configuration"] == "tracing.step")
    process = next(one for one in document["processes"] if one["configuration"] == "tracing.step" and one["used"])
    bare(document)
    for values, factor in (("", 1), ("{off=all}", 3), ("{off=engine.spin}", 2)):
        id = f"tracing.step{values}"
        row = {**base, "configuration": id, "samples": [factor * sample for sample in base["samples"]]}
        row.update({key: base[key] * factor for key in ("median", "low", "high")})
        document["values"].append(row)
        document["processes"].append({**process, "configuration": id})
    page, text = read(draw(document))
    label = re.search(r'aria-label="(Points with intervals, time of a training step: [^"]*)"', page).group(1)
    places = [label.index(name) for name in ("all on", "engine.spin off", "all off")]
    assert places == sorted(places)
    assert "The dashed line is everything on." in text


def test_a_run_that_measured_nothing_is_still_a_page(draw, document):
    bare(document)
    for key in ("failures", "skipped", "controls"):
        document[key] = []
    for claim in document["claims"]:
        for verdict in claim["verdicts"]:
            verdict.update(advice="not tested yet", figure="not tested yet", estimate=None, low=None, high=None)
    document["harness"] = {
        "processes": 0,
        "spawn_ms": {"median": None, "max": None},
        "parse_ms": {"median": None, "max": None},
    }
    for content in read(draw(document)):
        assert "What was measured on this machine" in content
        seen = re.sub(r"<style>.*?</style>", "", content, flags=re.DOTALL)
        assert not re.search(r"[Vv]erdict|advice|No other framework", seen)


def test_an_unfit_machine_is_said_first(draw, document):
    bare(document)
    document["state"].update(fit=False, reasons=["median steal 7.1 % is above 2 %"])
    page, text = read(draw(document))
    for content in (page, text):
        assert content.index("unfit for measuring") < content.index("pieces of advice")
        assert "Median steal 7.1 % is above 2 %" in content


def test_broken_processes_enter_no_figure(draw, document):
    process = next(
        process
        for process in document["processes"]
        if process["configuration"] == "tracing.slow_start" and process["used"]
    )
    process["events"].append(
        {
            "event": "series",
            "name": "of_the_broken",
            "x": {"name": "x", "unit": "", "values": [1, 2]},
            "y": {"name": "y", "unit": "", "values": [1, 2]},
        }
    )
    assert "of-the-broken" not in read(draw(document))[0]


@pytest.mark.parametrize("values", [[None, None], [], [0, 0], [5.0]])
def test_odd_series_are_drawn_or_left_out(draw, document, values):
    for process in document["processes"]:
        for event in process["events"]:
            if event["event"] == "series":
                event["x"]["values"] = event["x"]["values"][: len(values)]
                event["y"]["values"] = values
    document["values"], document["comparisons"] = [], []  # only the series are in question
    assert (draw(document) / "index.html").is_file()


def once(
    configuration: str, metric: str, value: float | None, unit: str = "GOP/s", reason: str = "measured once"
) -> dict:
    samples = [] if value is None else [value]
    return {
        "configuration": configuration,
        "program": "assay",
        "metric": metric,
        "unit": unit,
        "better": "higher",
        "per": "run",
        "samples": samples,
        "median": value,
        "low": None,
        "high": None,
        "confidence": None,
        "reason": reason,
    }


def test_rates_by_type_and_threads_become_one_figure(draw, document):
    bare(document)
    document["values"] += [
        once("machine.rate", "rate", 118),
        once("machine.rate{threads=all}", "rate", 225),
        once("machine.rate{dtype=int8}", "rate", 455),
        once("machine.rate{dtype=int8,threads=all}", "rate", 865),
    ]
    page, _ = read(draw(document))
    label = re.search(r'aria-label="(Bars of rate of a matrix product: [^"]*)"', page).group(1)
    assert "float32 1 thread 118 GOP/s" in label and "int8 all threads 865 GOP/s" in label


def test_a_case_with_many_metrics_has_a_column_a_configuration(draw, document):
    bare(document)
    for configuration, share in (("machine.peak", 0.92), ("machine.peak{threads=all}", None)):
        document["values"] += [
            once(configuration, "clock", 3.7, "GHz"),
            once(configuration, "units", 2, ""),
            once(configuration, "matmul_share", share, "", "no matrix kernel here"),
        ]
    page, text = read(draw(document))
    assert "| Metric | 1 thread | all threads | Better |" in text
    assert "| share of the multiply-add rate that a matrix product reaches | 92 % | – (no matrix kernel here) | higher |" in text
    assert "<caption>Measured once: peak</caption>" in page


def test_a_sweep_is_a_curve_over_its_parameter(report):
    page, _ = read(report)
    label = re.search(r'aria-label="(Curve of time of a sample over batch: [^"]*)"', page).group(1)
    assert [float(x) for x in re.findall(r"(\d+): ", label)] == [1, 2, 8, 32, 128]


def test_lines_of_one_figure_are_drawn_together(draw, document):
    """`NAME: LINE` is a line of the figure NAME, which its caption and its description name."""
    process = next(p for p in document["processes"] if p["used"] and p["status"] == "ok")
    axis = lambda name, values: {"name": name, "unit": "", "values": values}  # noqa: E731
    process["events"] = [
        {"event": "series", "name": f"waiting: {line}", "x": axis("cost", [1.5, 2.5, 3.5]), "y": axis("share", values)}
        for line, values in (("without prefetch", [0.5, 0.6, 0.7]), ("with prefetch", [0.1, 0.2, 0.3]))
    ]
    document["processes"], document["values"], document["comparisons"] = [process], [], []
    folder = draw(document)
    assert len(list((folder / "figures").glob("*-waiting*.svg"))) == 1
    told = (folder / "report.md").read_text(encoding="utf-8")
    assert "without prefetch from 0.5 at 1.5 to 0.7 at 3.5" in told
    assert "with prefetch from 0.1 at 1.5 to 0.3 at 3.5" in told


def test_every_module_of_a_scenario_is_used():
    from plots.scenarios import REPORTS

    modules = {path.stem for path in (Path(__file__).resolve().parents[2] / "plots/scenarios").glob("*.py")} - {"__init__"}
    assert set(REPORTS) == modules
    assert REPORTS["pipeline"].title == "Data pipeline"


def mixed_precision(document: dict, *programs: str) -> None:
    """Gives the advice on mixed precision a verdict for each number format in each program."""
    claim = next(one for one in document["claims"] if one["id"] == "precision.mixed_step")
    claim["verdicts"] = [
        {
            "program": program,
            "format": format,
            "advice": advice,
            "figure": figure,
            "estimate": estimate,
            "low": estimate - 0.01,
            "high": estimate + 0.01,
            "unit": "",
            "reason": reason,
        }
        for program in programs
        for format, advice, figure, estimate, reason in (
            ("float16", "fails", "same direction", 1.25, ""),
            ("bfloat16", "holds", "not testable", 0.64, "the published figure is of float16"),
        )
    ]


def test_mixed_precision_has_a_verdict_for_each_format(draw, document):
    mixed_precision(document, "assay")
    page, text = read(draw(document))
    rows = [line for line in text.splitlines() if line.startswith("| one line of mixed precision")]
    assert ["(float16)" in rows[0], "1.250× [1.240, 1.260] | fails" in rows[0]] == [True, True]
    assert ["(bfloat16)" in rows[1], "0.640× [0.630, 0.650] | holds" in rows[1]] == [True, True]
    assert "not testable (the published figure is of float16)" in rows[1]
    assert "1 depends on the number format" in page
    label = re.search(r'aria-label="(Points with intervals, ratio of the compared[^"]*)"', page).group(1)
    assert "float16 1.250× [1.240, 1.260], bfloat16 0.640× [0.630, 0.650], published 40.7×" in label


def test_formats_of_several_programs_are_rows_of_the_table(draw, document):
    mixed_precision(document, "assay", "tensorflow")
    document["programs"].append({**document["programs"][0], "name": "tensorflow"})
    _, text = read(draw(document))
    rows = [line for line in text.splitlines() if line.startswith("| one line of mixed precision")]
    assert [line.count("fails (1.250×") for line in rows] == [2, 0]
    assert [line.count("holds (0.640×") for line in rows] == [0, 2]
