"""Forest plot in groups: under each heading one line a program, for what one line a row would not hold."""

from plots.figures.axes import axis_label, linear, log_ratio
from plots.figures.forest import Row, legend, limits, marks
from plots.figures.grouped_rows import LINE, GroupedRows
from plots.figures.style import MUTED, Drawing, finish
from plots.format import number


def grouped_forest(
    name: str, groups: dict[str, list[Row]], form: str, axis_name: str, unit: str, caption: str
) -> Drawing | None:
    """`form` as forest() has it; a label may be empty."""
    if form == "ratio":
        groups = {title: [row for row in members if row.estimate > 0] for title, members in groups.items()}
    groups = {title: members for title, members in groups.items() if members}
    rows = [row for members in groups.values() for row in members]
    if not rows:
        return None
    figure_rows = GroupedRows(
        [(title, [(row.label, row.text) for row in members]) for title, members in groups.items()],
        below=0.7,
    )
    axes, (low, high) = figure_rows.axes, limits(rows, form)
    if form == "ratio":
        log_ratio(axes, low, high, figure_rows.max_ticks)
    else:
        axes.set_xlim(low, high)
        unit = linear(axes.xaxis, low, high, unit, max_ticks=figure_rows.max_steps)
    axes.axvline(1 if form == "ratio" else 0, color=MUTED, linewidth=1, zorder=1)
    for row, y in zip(rows, figure_rows.places):
        marks(axes, row, y, low, high, LINE * 0.42)
    axes.set_xlabel(axis_label(axis_name, unit))
    handles = [handle for handle in legend(rows) if handle.get_label() != "each sample"]
    figure_rows.figure.legend(
        handles=handles, loc="lower center", ncols=4, handletextpad=0.4, columnspacing=1.2, borderaxespad=0.1
    )
    alt = f"Points with intervals, {axis_name}: " + "; ".join(_in_words(*group) for group in groups.items())
    return finish(figure_rows.figure, name, caption, alt)


def _in_words(title: str, rows: list[Row]) -> str:
    measured = ", ".join(f"{row.label} {row.text}".strip() for row in rows)
    published = next((row.published for row in rows if row.published is not None), None)
    return f"{title}: {measured}" + ("" if published is None else f", published {number(published)}×")
