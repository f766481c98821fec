"""What single scenarios add to the generic figures and tables: a module each, named for its scenario."""

import importlib
import pkgutil

from plots.scenario_report import ScenarioReport

REPORTS: dict[str, ScenarioReport] = {
    module.name: importlib.import_module(f"{__name__}.{module.name}").REPORT for module in pkgutil.iter_modules(__path__)
}


def report_of(scenario: str) -> ScenarioReport:
    """A scenario without a module here is drawn by the generic rules alone."""
    return REPORTS.get(scenario, ScenarioReport())
