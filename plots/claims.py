"""Claims against what was measured: counts for the headline, what was tested, where an advice holds."""

import math

from plots.format import number

# Section of the published sources -> its title (results/published/claims.json numbers them).
SECTIONS = {
    1: "Data pipeline",
    2: "Tracing and custom loops",
    3: "Distribution",
    4: "Hyperparameter search",
    5: "Mixed precision",
    6: "Serving",
    7: "Conversion and quantization",
    8: "Pruning and distillation",
    9: "Limitations",
    10: "Ensembles, step fusing, model parallelism",
}
NOT_TESTED = "not tested yet"
DEPENDS = "depends on the format"
# verdict -> how the headline says it of 1 and of several pieces of advice
COUNTED = {
    "holds": ("holds here", "hold here"),
    "fails": ("fails", "fail"),
    "undecided": ("is undecided", "are undecided"),
    "not testable here": ("cannot be tested here", "cannot be tested here"),
    NOT_TESTED: ("is not tested yet", "are not tested yet"),
    DEPENDS: ("depends on the number format", "depend on the number format"),
}


def programs(claims: list[dict]) -> list[str]:
    """The columns of the verdict table, in the document's order."""
    return list(dict.fromkeys(verdict["program"] for claim in claims for verdict in claim["verdicts"]))


def formats(claim: dict) -> list[str]:
    """The number formats that have a verdict each; one empty name where the claim is not about formats."""
    return list(dict.fromkeys(verdict["format"] for verdict in claim["verdicts"]))


def verdict_of(claim: dict, program: str, format: str) -> dict | None:
    """What a program says of a claim in one of its formats."""
    return next((one for one in claim["verdicts"] if (one["program"], one["format"]) == (program, format)), None)


def advice_of(claim: dict, program: str) -> str:
    """The one verdict of a program on an advice. A format that cannot be tested does not count beside one that can."""
    found = {verdict["advice"] for verdict in claim["verdicts"] if verdict["program"] == program} or {NOT_TESTED}
    found = found - {"not testable here", NOT_TESTED} or found
    return DEPENDS if len(found) > 1 else found.pop()


def is_tested(claim: dict) -> bool:
    return any(verdict["advice"] != NOT_TESTED for verdict in claim["verdicts"])


def counts(claims: list[dict], program: str) -> dict[str, int]:
    found = dict.fromkeys(COUNTED, 0)
    for claim in claims:
        found[advice_of(claim, program)] += 1
    return found


def headline(claims: list[dict], program: str) -> str:
    """`Of 36 pieces of advice, 1 holds here, 3 fail, 1 is undecided and 31 are not tested yet.`"""
    parts = [
        f"{n} {COUNTED[verdict][n != 1]}"
        for verdict, n in counts(claims, program).items()
        if n or verdict in ("holds", "fails")
    ]
    listed = ", ".join(parts[:-1]) + " and " + parts[-1]
    return f"Of {len(claims)} {'piece' if len(claims) == 1 else 'pieces'} of advice, {listed}."


def figure_of(published: dict) -> tuple[str, float] | None:
    """The one published figure and its form (`ratio`, `difference`, `value`); None where the source gives none."""
    return next(((form, published[form]) for form in ("ratio", "difference", "value") if form in published), None)


def form_of(claim: dict) -> str:
    """`ratio`, `difference` or `value`: what the claim's bounds are about, else its published figure."""
    for key in claim["holds"] or {}:
        if key != "absolute":
            return key.split("_", 1)[0]
    figure = figure_of(claim["published"])
    return figure[0] if figure else "value"


def bands(bounds: dict | None) -> list[tuple[float, float]]:
    """The ranges in which an advice holds; an open end is infinite."""
    if not bounds:
        return []
    absolute = bool(bounds.get("absolute"))
    found = []
    for key, limit in bounds.items():
        if key.endswith("_at_most"):
            found.append((-limit if absolute else -math.inf, limit))
        elif key.endswith("_at_least"):
            found += [(-math.inf, -limit), (limit, math.inf)] if absolute else [(limit, math.inf)]
        elif key.endswith("_between"):
            found += [(-limit[1], -limit[0]), tuple(limit)] if absolute else [tuple(limit)]
    return found


def bounds_text(bounds: dict | None) -> str:
    """`ratio at most 1.1`."""
    if not bounds:
        return ""
    size = "size of the " if bounds.get("absolute") else ""
    parts = []
    for key, limit in bounds.items():
        if key != "absolute":
            if isinstance(limit, list) and limit[0] == limit[1]:
                key, limit = key.replace("between", "exactly"), limit[0]
            shown = " and ".join(f"{number(part)}" for part in limit) if isinstance(limit, list) else f"{number(limit)}"
            parts.append(f"{size}{key.replace('_', ' ')} {shown}")
    return ", ".join(parts)
