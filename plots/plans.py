"""A plan that a case chose (docs/protocol.md, "A plan"), in a few words; `./assay explain CASE` prints all of it."""

from collections import Counter

from plots.format import count, quantity


def is_plan(value: object) -> bool:
    return (
        isinstance(value, dict)
        and _rows(value.get("steps"), 7)
        and _rows(value.get("passes"), 3)
        and all(isinstance(value.get(key), int) for key in ("recorded_nodes", "states", "packed_states"))
    )


def _rows(value: object, width: int) -> bool:
    return isinstance(value, list) and all(isinstance(row, list) and len(row) == width for row in value)


def plan_in_words(plan: dict) -> str:
    kernels = Counter(str(row[1]) for row in plan["steps"])
    parts = [
        f"{count(plan['recorded_nodes'], 'node')} recorded, {count(len(plan['steps']), 'step')}",
        ", ".join(name if n == 1 else f"{n} × {name}" for name, n in kernels.items()),
        f"{plan['packed_states']} of {count(plan['states'], 'state')} packed",
    ]
    parts += [
        f"{key} {quantity(plan[f'{key}_bytes'], 'byte')}" for key in ("arena", "workspace") if plan.get(f"{key}_bytes")
    ]
    return "; ".join(part for part in parts if part)
