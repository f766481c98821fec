"""Which figures a scenario gets: chosen by the kind of its data, never by its name."""

from plots.document import Configuration, Run, natural
from plots.figures.curves import Curve, curves
from plots.figures.comparison_figures import effects
from plots.figures.value_figures import value_figures
from plots.figures.style import Drawing, file_name
from plots.figures.value_plots import bars
from plots.format import quantity
from plots.labels import given, labels, value_in_words
from plots.scenario_report import ScenarioReport


def scenario_figures(run: Run, scenario: str, options: ScenarioReport) -> list[Drawing]:
    found = value_figures(run, scenario, options) + _grids(run, scenario, options) + _series(run, scenario, options)
    order = {key: place for place, key in enumerate(options.first)}
    found.sort(key=lambda pair: order.get(pair[0], len(order)))
    return (
        [drawing for _, drawing in found] + (options.extra(run, scenario) if options.extra else []) + effects(run, scenario)
    )


def _grids(run: Run, scenario: str, options: ScenarioReport) -> list[tuple[str, Drawing]]:
    """Values measured once, bars by one parameter or two, where the scenario's own file asks for it."""
    gathered: dict[tuple[str, str, str], list[tuple[dict, dict]]] = {}
    for row in sorted(run.values(scenario), key=lambda row: natural(row["configuration"])):
        case = Configuration(row["configuration"]).case
        if row["per"] == "run" and row["median"] is not None and row["metric"] in options.grids:
            gathered.setdefault((case, row["metric"], row["unit"]), []).append((row, given(run, row, options)))
    found = []
    for (case, metric, unit), members in gathered.items():
        differing = sorted(
            {key for _, one in members for key in one if len({other.get(key) for _, other in members}) > 1}
        )
        if len(differing) not in (1, 2) or len({row["program"] for row, _ in members}) > 1:
            named = labels(run, [row for row, _ in members], options)
            cells = {(named[row["program"], row["configuration"]], ""): row for row, _ in members}
        else:
            cells = {
                (
                    value_in_words(differing[0], one.get(differing[0], "")),
                    value_in_words(differing[1], one.get(differing[1], "")) if len(differing) == 2 else "",
                ): row
                for row, one in members
            }
        labels, titles = list(dict.fromkeys(label for label, _ in cells)), sorted(
            {title for _, title in cells}, key=natural
        )
        values = [
            [cells[label, title]["median"] if (label, title) in cells else None for label in labels] for title in titles
        ]
        texts = [["" if value is None else quantity(value, unit, metric) for value in column] for column in values]
        found.append(
            (
                metric,
                bars(
                    file_name(f"{case}-{metric}"),
                    labels,
                    list(zip(titles, values)),
                    options.name(metric),
                    unit,
                    options.captions.get(metric, ""),
                    texts,
                ),
            )
        )
    return found


def _line_names(run: Run, owners: list[tuple[str, str, str]], options: ScenarioReport) -> dict[tuple[str, str, str], str]:
    """Of curves, by (program, configuration, line)."""
    of = labels(run, [{"program": program, "configuration": id} for program, id, _ in owners], options)
    alone = len({owner[:2] for owner in owners}) == 1
    return {
        owner: owner[2] if alone and owner[2] else ", ".join(part for part in (of[owner[:2]], owner[2]) if part)
        for owner in owners
    }


def _series(run: Run, scenario: str, options: ScenarioReport) -> list[tuple[str, Drawing]]:
    """Every series of the same name and axes in one figure; few whole-numbered points become bars. `NAME: LINE` is a line of
    the figure NAME."""
    gathered: dict[tuple, dict[tuple[str, str, str], list]] = {}
    for process, event in run.events(scenario, "series"):
        x, y = event["x"], event["y"]
        known = [place for place, value in enumerate(x["values"]) if value is not None and place < len(y["values"])]
        if not any(y["values"][place] is not None for place in known):
            continue
        points = (tuple(x["values"][place] for place in known), tuple(y["values"][place] for place in known))
        series, _, line = event["name"].partition(": ")
        key = (series, x["name"], x["unit"], y["name"], y["unit"])
        owner = (process["program"], process["configuration"], line)
        gathered.setdefault(key, {}).setdefault(owner, []).append(points)
    found = []
    for (series, x_name, x_unit, y_name, y_unit), lines in gathered.items():
        named = _line_names(run, list(lines), options)
        drawn = [
            Curve(named[key], points[0][0], tuple(y for x, y in points if x == points[0][0]))
            for key, points in sorted(lines.items(), key=lambda item: natural(named[item[0]]))
        ]
        name = file_name(
            f"{scenario}-{series}"
            if len([key for key in gathered if key[0] == series]) == 1
            else f"{scenario}-{series}-{y_name}"
        )
        caption = options.captions.get(series, f"{series.replace('_', ' ')}.")
        xs = drawn[0].x
        if (
            len(drawn) > 1
            and len(xs) <= 4
            and all(line.x == xs and len(line.runs) == 1 for line in drawn)
            and all(float(x).is_integer() for x in xs)
        ):
            columns = [
                (
                    f"{quantity(x, x_unit)} {x_name if x != 1 else x_name.removesuffix('s')}",
                    [line.runs[0][place] for line in drawn],
                )
                for place, x in enumerate(xs)
            ]
            texts = [[quantity(value, y_unit) for value in values] for _, values in columns]
            found.append(
                (
                    series,
                    bars(
                        name,
                        [line.label for line in drawn],
                        columns,
                        options.names.get(series, y_name),
                        y_unit,
                        caption,
                        texts,
                    ),
                )
            )
        else:
            found.append(
                (series, curves(name, drawn, (x_name, x_unit), (options.names.get(series, y_name), y_unit), caption))
            )
    return found
