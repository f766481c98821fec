"""The report: the page, the same tables as Markdown, the figures; put in place whole or not at all."""

import os
import re
import shutil
import tempfile
from dataclasses import dataclass
from pathlib import Path

import jinja2

from plots import claims, machine_tables, state_tables, verdict_tables
from plots.figure_columns import columns
from plots.document import Run
from plots.figures.scenario_figures import scenario_figures
from plots.figures.noise_figure import noise
from plots.figures.style import Drawing
from plots.figures.verdict_figures import verdict_forests
from plots.format import count, number
from plots.scenario_tables import protocol, scenario_tables
from plots.scenarios import report_of
from plots.tables import Cell, Table

TEMPLATES = Path(__file__).parent / "templates"


@dataclass(frozen=True)
class Section:
    name: str
    title: str
    question: str
    notes: tuple[str, ...]
    protocol: str
    figures: list[Drawing]
    tables: list[Table]


def report(run: Run) -> dict:
    """Everything that the templates print: both get the same."""
    sections = []
    for scenario in run["scenarios"]:
        options = report_of(scenario["name"])
        sections.append(
            Section(
                scenario["name"],
                options.title or scenario["name"].capitalize(),
                scenario["question"],
                options.notes,
                protocol(run, scenario["name"]),
                scenario_figures(run, scenario["name"], options),
                scenario_tables(run, scenario["name"], options),
            )
        )
    programs = claims.programs(run["claims"]) or run.program_names
    judged = any(map(claims.is_tested, run["claims"]))
    return {
        "run": run.document,
        "judged": judged,  # without a verdict the report says nothing of verdicts
        "title": "What holds on this machine" if judged else "What was measured on this machine",
        "steal": f"{number(run['state']['median_steal_percent'], 2)} %",
        "headline": claims.headline(run["claims"], programs[0]),
        "tally": verdict_tables.tally(run),
        "alone": len(run.program_names) == 1,
        "cpu": run["machine"]["identity"].get("cpu"),
        "verdicts": verdict_tables.verdict_table(run),
        "bounds": verdict_tables.bounds(run),
        "forests": verdict_forests(run),
        "reasons": verdict_tables.reasons(run),
        "untested": verdict_tables.untested(run),
        "sections": sections,
        "noise": noise(run.used()),
        "machine": [
            machine_tables.identity(run),
            machine_tables.programs(run),
            state_tables.doctor(run),
            state_tables.state(run),
            machine_tables.noise(run),
        ],
        "controls": machine_tables.controls(run),
        "cost": machine_tables.cost(run),
        "failures": machine_tables.failures(run),
        "processes": count(run["harness"]["processes"], "process", "processes"),
        "intervals": (number(run["intervals"]["printed"]), number(run["intervals"]["expected_to_miss"], 2)),
    }


def drawings(content: dict) -> list[Drawing]:
    found = [
        *content["forests"],
        *(drawing for section in content["sections"] for drawing in section.figures),
        content["noise"],
    ]
    return [drawing for drawing in found if drawing is not None]


def render(content: dict) -> tuple[str, str]:
    """(HTML, Markdown)."""
    loader = jinja2.FileSystemLoader(TEMPLATES)
    page = jinja2.Environment(
        loader=loader, autoescape=True, trim_blocks=True, lstrip_blocks=True, undefined=jinja2.StrictUndefined
    )
    page.filters.update(columns=columns)
    plain = jinja2.Environment(
        loader=loader, autoescape=False, trim_blocks=True, lstrip_blocks=True, undefined=jinja2.StrictUndefined
    )
    page.filters.update(columns=columns)
    plain.filters.update(md=markdown, cell=markdown_cell, mdcode=markdown_code)
    style = (TEMPLATES / "style.css").read_text(encoding="utf-8")
    html = page.get_template("report.html.j2").render(**content, style=style)
    text = plain.get_template("report.md.j2").render(**content)
    text = re.sub(r"[ \t]+\n", "\n", text)
    return html, re.sub(r"\n{3,}", "\n\n", text).strip() + "\n"


def markdown(text: object) -> str:
    """Text in which nothing is mark-up. Underscores inside a word and brackets without a target are none anyway."""
    text = re.sub(r"\s+", " ", str(text)).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return re.sub(r"([\\`*|~]|\](?=[(\[:])|(?<!\w)_|_(?!\w))", r"\\\1", text)


def markdown_code(text: object) -> str:
    """A code span for any text: a longer fence than what is inside; a bar must be escaped in a table even there."""
    text = re.sub(r"\s+", " ", str(text)).replace("|", r"\|")
    fence = "`" * (1 + max((len(run) for run in re.findall(r"`+", text)), default=0))
    return f"{fence} {text} {fence}" if len(fence) > 1 else f"{fence}{text}{fence}"


def markdown_cell(cell: Cell) -> str:
    text = (markdown_code if cell.code else markdown)(cell.text) if cell.text else ""
    note = (markdown_code if cell.note_code else markdown)(cell.note) if cell.note else ""
    note = "; ".join(part for part in (note, markdown(cell.more)) if part)
    return f"{text} ({note})" if text and note else text or note


def write_report(run: Run, out: Path) -> Path:
    """Writes OUT/index.html, report.md and figures/; an older report there is replaced. Returns the page's path."""
    content = report(run)
    html, text = render(content)
    if out.exists() and not (out.is_dir() and (not any(out.iterdir()) or (out / "index.html").is_file())):
        raise FileExistsError(17, "holds something else than a report", str(out))
    out.parent.mkdir(parents=True, exist_ok=True)
    scratch = Path(tempfile.mkdtemp(prefix=f".{out.name}-", dir=out.parent))
    try:
        new = scratch / "new"
        (new / "figures").mkdir(parents=True)
        (new / "index.html").write_text(html, encoding="utf-8")
        (new / "report.md").write_text(text, encoding="utf-8")
        for drawing in drawings(content):
            (new / "figures" / f"{drawing.name}.svg").write_text(drawing.svg, encoding="utf-8")
            (new / "figures" / f"{drawing.name}.png").write_bytes(drawing.png)
        if out.exists():
            os.rename(out, scratch / "old")
        os.rename(new, out)
    finally:
        shutil.rmtree(scratch, ignore_errors=True)
    return out / "index.html"
