"""Tables as values: one form, from which the page and the Markdown are both written."""

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Cell:
    text: str
    code: bool = False  # a name of the document: typewriter, never changed
    note: str = ""  # small, after the text
    note_code: bool = False
    more: str = ""  # small, after the note
    tone: str = ""  # good, bad, open: colour beside the word, never instead of it


@dataclass(frozen=True)
class Column:
    title: str
    number: bool = False  # right-aligned, figures of equal width


@dataclass(frozen=True)
class Table:
    caption: str
    columns: list[Column]
    rows: list[list[Cell]] = field(default_factory=list)
    note: str = ""
    dense: bool = False  # many columns: smaller letters, equal widths
    stack: bool = False  # on a narrow screen each row becomes a block of its own

    def __post_init__(self):
        for row in self.rows:
            if len(row) != len(self.columns):
                raise ValueError(f"table {self.caption!r}: a row of {len(row)} cells under {len(self.columns)} columns")


def code(text: str) -> Cell:
    return Cell(text, code=True)


def text(value: object) -> Cell:
    return value if isinstance(value, Cell) else Cell(str(value))


def row(*cells: object) -> list[Cell]:
    return [text(cell) for cell in cells]
