"""Figures in two columns that end at about the same height."""

from itertools import product

from plots.figures.style import Drawing

MAX_ARRANGED = 14  # figures whose 2^n arrangements are all tried; what comes after takes turns


def room(drawing: Drawing) -> float:
    """Inches that a figure takes with its caption and the space above it."""
    return drawing.height + 0.22 * (1 + len(drawing.caption) // 62) + 0.3


def columns(drawings: list[Drawing]) -> list[list[tuple[int, Drawing]]]:
    """(place, figure) of each column; inside one the order is kept. Of all arrangements that which leaves least blank,
    and of equals (a third of an inch) that which goes most from left to right."""
    if len(drawings) < 2:
        return [list(enumerate(drawings))] if drawings else []
    heights = [room(drawing) for drawing in drawings]
    tried = min(len(drawings), MAX_ARRANGED)

    def cost(sides: tuple[int, ...]) -> tuple[int, int]:
        left = sum(height for height, side in zip(heights, sides) if side == 0)
        right = sum(height for height, side in zip(heights, sides) if side == 1)
        return round(abs(left - right) * 3), sum(one == next_one for one, next_one in zip(sides, sides[1:]))

    best = min(((0, *rest) for rest in product((0, 1), repeat=tried - 1)), key=cost)
    sides = [*best, *(place % 2 for place in range(tried, len(drawings)))]
    return [[(place, drawings[place]) for place, side in enumerate(sides) if side == column] for column in (0, 1)]
