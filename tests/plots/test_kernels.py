"""The tables and the roofline of the scenario kernels, from a document with known numbers."""

import re

import pytest



def choice(name: str, **value) -> dict:
    operation, size = name.split("/", 1)
    return {"event": "choice", "name": name, "value": {"operation": operation, "size": size, **value}}


def measured(name: str, time: float, flops: float, size: float, threads: int, kernel: str, fallbacks=()) -> list[dict]:
    """Events of one size: three samples around `time`, under a peak of 200 GFLOP/s and 100 GB/s a thread."""
    return [
        {"event": "samples", "metric": name, "unit": "ns", "better": "lower", "warmup": 1, "values": [time * 2, time, time * 0.9]},
        {"event": "samples", "metric": f"{name}/share", "unit": "", "better": "higher", "warmup": 1, "values": [0.5, 0.5, 0.5]},
        choice(
            name,
            kernel=kernel,
            threads=threads,
            fallbacks=list(fallbacks),
            flops=flops,
            bytes=size,
            footprint=size,
            peak=200.0 * threads,
            bandwidth=100.0 * threads,
            walk="read",
        ),
    ]


@pytest.fixture
def with_kernels(document) -> dict:
    process = next(process for process in document["processes"] if process["used"] and process["status"] == "ok")
    made = []
    for configuration, events in (
        (
            "kernels.product",
            # 25.6 MFLOP in 80 us: 320 GFLOP/s of 400; 0.8 MB: 10 GB/s of 200
            measured("matmul/128x784x128", 80e3, 25.6e6, 0.8e6, 2, "onednn:brg:avx512_core")
            + measured("matmul/1x784x128", 4e3, 0.2e6, 0.32e6, 1, "onednn:brg:avx512_core", ["onednn: a reason"]),
        ),
        ("kernels.product{onednn=off}", measured("matmul/128x784x128", 160e3, 25.6e6, 0.8e6, 2, "eigen:matmul")),
        (
            "kernels.update",
            # no operations: a copy of 8 MB in 80 us is 100 GB/s of 200
            measured("reorder/1024x1024-packed", 80e3, 0, 8e6, 2, "onednn:reorder")
            + [choice("sgd/109386", reason="impossible: 1.8 of the roof")],
        ),
    ):
        made.append({**process, "group": configuration, "configuration": configuration, "events": events})
    document["processes"], document["comparisons"] = made, []
    document["values"] = [
        {
            **document["values"][0],
            "configuration": process["configuration"],
            "metric": event["metric"],
            "per": "run",
            "unit": event["unit"],
            "samples": event["values"],
            "median": 1.0,
            "low": None,
            "high": None,
        }
        for process in made
        for event in process["events"]
        if event["event"] == "samples"
    ]
    document["scenarios"] = [{"name": "kernels", "question": "How fast?"}]
    return document


def rows(text: str, title: str) -> list[list[str]]:
    part = text[text.index(title) :].split("\n\n", 2)[1]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in part.splitlines()[2:]]


def test_a_row_says_rates_and_the_roof_that_limits(draw, with_kernels):
    text = (draw(with_kernels) / "report.md").read_text(encoding="utf-8")
    large, small = rows(text, "Kernels: product")[:2]
    assert large == ["`matmul`", "128×784×128", "80 µs", "320", "10", "80 %", "peak", "`onednn:brg:avx512_core`", "2"]
    # 0.2 MFLOP in 4 us: 50 of 200 GFLOP/s; 0.32 MB: 80 of 100 GB/s
    assert small[2:7] == ["4 µs", "50", "80", "80 %", "bandwidth"]
    assert "onednn: a reason" in small[7]
    (off,) = rows(text, "Kernels: product without oneDNN")
    assert off[3:6] == ["160", "5", "40 %"]


def test_a_size_without_numbers_says_why(draw, with_kernels):
    text = (draw(with_kernels) / "report.md").read_text(encoding="utf-8")
    moved, missing = rows(text, "Kernels: update")
    assert moved[3:7] == ["0", "100", "50 %", "bandwidth"]
    assert missing[:2] == ["`sgd`", "109386"]
    assert missing[7] == "impossible: 1.8 of the roof"


def test_generic_tables_do_not_repeat_what_these_show(draw, with_kernels):
    text = (draw(with_kernels) / "report.md").read_text(encoding="utf-8")
    assert "matmul/128x784x128" not in text


def test_roofline_has_its_roofs_and_its_points(draw, with_kernels):
    report = draw(with_kernels)
    picture = (report / "figures/kernels-roofline.svg").read_text(encoding="utf-8")
    title = re.search(r"<title>(.*?)</title>", picture, re.DOTALL).group(1)
    assert "peak, 400 GFLOP/s" in title
    assert "1 thread, 200 GFLOP/s" in title
    assert "200 GB/s" in title
    assert "product: 2 sizes, nearest to its roof matmul 128x784x128 at 80 % of it, 320 GFLOP/s" in title
    assert "update" not in title  # without operations there is no intensity
    assert (report / "figures/kernels-roofline-off.svg").is_file()


def test_the_same_document_draws_the_same_roofline(draw, with_kernels):
    first, second = (draw(with_kernels, name) / "figures/kernels-roofline.svg" for name in ("a", "b"))
    assert first.read_bytes() == second.read_bytes()
