"""A figure of many rows in groups: names on the left, numbers on the right, marks on one axis in between."""

from dataclasses import dataclass

from plots.figures.style import INK, PAPER, WIDTH, pyplot

LINE, HEADING, GAP = 0.19, 0.2, 0.1  # inches
LETTER = 0.062  # width of one at 7.5 points, a little more than the average


@dataclass
class GroupedRows:
    """`groups`: (heading, rows of (name, numbers)); headings and names may be empty."""

    groups: list[tuple[str, list[tuple[str, str]]]]
    below: float = 0.45  # inches under the rows, for axis and legend

    def __post_init__(self):
        rows = [row for _, members in self.groups for row in members]
        names, numbers = max(len(name) for name, _ in rows), max(len(text) for _, text in rows)
        self.left = names * LETTER + 0.12 if names else 0.08
        self.right = numbers * LETTER + 0.16
        self.middle = WIDTH - self.left - self.right
        inside = sum((HEADING if title else 0) + GAP + LINE * len(members) for title, members in self.groups)
        height = inside + self.below
        self.figure, self.axes = pyplot.subplots(figsize=(WIDTH, height))
        self.figure.subplots_adjust(
            left=self.left / WIDTH, right=1 - self.right / WIDTH, top=1 - 0.02 / height, bottom=self.below / height
        )
        self.axes.set_ylim(-inside, 0)  # inches from the top
        self.axes.set_yticks([])
        self.axes.grid(axis="y", visible=False)
        self.axes.spines["left"].set_visible(False)
        self.places = self._write()

    @property
    def max_ticks(self) -> int:
        """Labels of a logarithmic axis that do not options."""
        return max(3, round(self.middle * 2.2))

    @property
    def max_steps(self) -> int:
        """Of a linear axis, whose labels may be as long as −0.0025."""
        return max(2, min(5, int(self.middle / 0.6)))

    def _write(self) -> list[float]:
        """Writes every text; returns where each row lies."""
        places, y = [], 0.0
        for title, members in self.groups:
            y -= GAP / 2
            if title:
                self._text(-(self.left - 0.05), y - HEADING / 2, title, "left", 8, behind=True)
                y -= HEADING
            for name, text in members:
                y -= LINE
                places.append(y + LINE / 2)
                self._text(-0.06, places[-1], name, "right", 7.5)
                self._text(self.middle + self.right - 0.05, places[-1], text, "right", 7.5)
            y -= GAP / 2
        return places

    def _text(self, inches: float, y: float, text: str, side: str, size: float, behind: bool = False) -> None:
        """At so many inches from the axis' left end; `behind`: on paper, since lines of the grid pass there."""
        self.axes.text(
            inches / self.middle,
            y,
            text,
            transform=self.axes.get_yaxis_transform(),
            va="center",
            ha=side,
            color=INK,
            fontsize=size,
            bbox={"facecolor": PAPER, "edgecolor": "none", "pad": 1} if behind else None,
        )
