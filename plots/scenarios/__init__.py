"""What one scenario adds to the generic figures and tables: one file each, all listed here."""

from plots.scenarios import kernels, machine, precision, tracing
from plots.touch import Touch

TOUCHES = {"kernels": kernels.TOUCH, "machine": machine.TOUCH, "precision": precision.TOUCH, "tracing": tracing.TOUCH}


def touch_of(scenario: str) -> Touch:
    """A scenario without a file of its own is drawn by the generic rules alone."""
    return TOUCHES.get(scenario, Touch())
