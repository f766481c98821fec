"""What a scenario may add to its part of the report."""

from collections.abc import Callable
from dataclasses import dataclass, field

from plots.format import words


@dataclass(frozen=True)
class ScenarioReport:
    title: str = ""  # heading; the scenario's name when empty
    defaults: dict[str, str] = field(default_factory=dict)  # a parameter's default, where the program does not say it
    captions: dict[str, str] = field(default_factory=dict)  # metric or series name -> what to look for in its figure
    names: dict[str, str] = field(default_factory=dict)  # metric or series name -> how it is called on an axis
    grids: tuple[str, ...] = ()  # metrics measured once whose configurations are compared as bars
    first: tuple[str, ...] = ()  # metrics and series whose figures come first
    extra: Callable | None = None  # (run, scenario) -> further drawings
    tables: Callable | None = None  # (run, scenario) -> further tables, before the generic ones
    own: Callable = lambda name: False  # metric or choice -> whether `tables` shows it, so that the generic ones do not
    notes: tuple[str, ...] = ()  # paragraphs under the question

    def name(self, key: str) -> str:
        return self.names.get(key, words(key))
