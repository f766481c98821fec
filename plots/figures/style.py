"""How every figure looks and is written: the same bytes each time, on white as a file, in the page's colours inline."""

import io
import re
from dataclasses import dataclass, field

import matplotlib
from matplotlib import pyplot

matplotlib.rcdefaults()  # without the user's matplotlibrc

WIDTH = 5.0  # inches; drawn 600 px wide on a desk and 360 px on a phone, so that letters stay legible on both
# Okabe and Ito's colours, told apart with any colour vision; lines also differ in marker.
SERIES = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#b98500", "#56b4e9")
MARKERS = ("o", "s", "^", "D", "v", "P")
INK, MUTED, GRID, PAPER, BAND = "#1c1c1c", "#5f6368", "#d5d7da", "#fefefe", "#dfeaf3"
# colour in the file -> the page's own (style.css), which follows the reader's light or dark setting
VARIABLES = {
    INK: "ink",
    MUTED: "muted",
    GRID: "rule",
    PAPER: "paper",
    BAND: "band",
    **{colour: f"series-{index}" for index, colour in enumerate(SERIES)},
}

pyplot.rcParams.update(
    {
        "svg.hashsalt": "assay",
        "svg.fonttype": "none",
        "text.parse_math": False,
        "axes.unicode_minus": True,
        "font.family": "sans-serif",
        "font.sans-serif": ["DejaVu Sans"],
        "font.size": 8.5,
        "axes.titlesize": 8.5,
        "axes.labelsize": 8.5,
        "xtick.labelsize": 8,
        "ytick.labelsize": 8,
        "legend.fontsize": 8,
        "text.color": INK,
        "axes.labelcolor": INK,
        "axes.edgecolor": MUTED,
        "xtick.color": MUTED,
        "ytick.color": MUTED,
        "xtick.labelcolor": INK,
        "ytick.labelcolor": INK,
        "axes.linewidth": 0.7,
        "axes.spines.top": False,
        "axes.spines.right": False,
        "axes.grid": True,
        "grid.color": GRID,
        "grid.linewidth": 0.6,
        "axes.axisbelow": True,
        "legend.frameon": False,
        "figure.facecolor": "white",
        "axes.facecolor": "none",
        "figure.dpi": 100,
        "path.simplify": False,
    }
)


@dataclass(frozen=True)
class Drawing:
    """A finished figure: what it is called, what it says in words, and its three forms."""

    name: str  # file name without its ending
    caption: str
    alt: str  # the figure in words, for those who cannot see it
    svg: str = field(repr=False)  # a file of its own, on white
    png: bytes = field(repr=False)
    inline: str = field(repr=False)  # for the page
    height: float = 1.0  # inches, at the width that all have


def finish(figure, name: str, caption: str, alt: str) -> Drawing:
    """Writes a pyplot figure in all forms and closes it."""
    text, image = io.StringIO(), io.BytesIO()
    nothing = {"Date": None, "Creator": None, "Format": None, "Type": None}
    figure.savefig(text, format="svg", metadata=nothing)
    figure.savefig(image, format="png", dpi=200, metadata={"Software": None})
    height = figure.get_figheight()
    pyplot.close(figure)
    svg = standalone(text.getvalue(), alt)
    return Drawing(name, caption, alt, svg, image.getvalue(), inline(svg, name, alt), height)


def standalone(svg: str, alt: str) -> str:
    svg = re.sub(r"<!DOCTYPE.*?>\s*", "", svg, count=1, flags=re.DOTALL)
    svg = re.sub(r"\s*<metadata>.*?</metadata>", "", svg, flags=re.DOTALL)
    # The reader's own sans-serif where DejaVu Sans is missing.
    svg = svg.replace("'DejaVu Sans'", "'DejaVu Sans', Verdana, Arial, sans-serif")
    svg = "\n".join(line.rstrip() for line in svg.splitlines()) + "\n"
    return re.sub(r"(<svg\b[^>]*>)", lambda tag: f"{tag.group(1)}\n <title>{_escape(alt)}</title>", svg, count=1)


def inline(svg: str, name: str, alt: str) -> str:
    """For the page: its own ids, the page's colours and letters, no background, no declarations."""
    svg = svg[svg.index("<svg") :]
    svg = re.sub(r"\s*<title>.*?</title>", "", svg, count=1, flags=re.DOTALL)
    svg = re.sub(r'\s(?:xmlns(?::\w+)?|version)="[^"]*"', "", svg)
    svg = re.sub(r'\bid="([^"]+)"', rf'id="{name}-\1"', svg)
    svg = re.sub(r"url\(#([^)]+)\)", rf"url(#{name}-\1)", svg)
    svg = re.sub(r'xlink:href="#([^"]+)"', rf'href="#{name}-\1"', svg)
    svg = re.sub(r"fill: ?#ffffff", "fill: none", svg)
    for colour, variable in VARIABLES.items():
        svg = svg.replace(colour, f"var(--{variable})")
    svg = re.sub(r"font: ([\d.]+)px [^\";]*", r"font: \1px var(--figure-font)", svg)
    svg = re.sub(r'<svg\b([^>]*?)\s(?:width)="[^"]*"', r"<svg\1", svg, count=1)
    svg = re.sub(r'<svg\b([^>]*?)\s(?:height)="[^"]*"', r"<svg\1", svg, count=1)
    return svg.replace("<svg", f'<svg role="img" aria-label="{_escape(alt)}"', 1)


def _escape(text: str) -> str:
    for raw, safe in (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ('"', "&quot;")):
        text = text.replace(raw, safe)
    return text


def file_name(text: str) -> str:
    """A name that is safe as a file and as an id: letters, digits, dashes."""
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-") or "figure"

