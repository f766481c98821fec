"""The run document (docs/run_document.md) as the report sees it: read, checked, and asked questions."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

SCHEMA_VERSION = 1
SCHEMA_FILE = Path(__file__).resolve().parents[1] / "results/schema/run-1.schema.json"


class BadDocument(Exception):
    """Names the file, what was expected, what was found and what to do."""


def load(folder: Path) -> "Run":
    """Reads FOLDER/run.json. Throws BadDocument where that is not a run document which this version understands."""
    path = folder / "run.json"
    if not path.is_file():
        raise BadDocument(
            f"{path} does not exist: give the folder of a finished run (./assay run --resume {folder} "
            "completes one that was cut off)"
        )
    try:
        document = json.loads(path.read_text(encoding="utf-8"), parse_constant=_refuse)
    except (ValueError, RecursionError) as error:
        raise BadDocument(
            f"{path} is not JSON: {error}. It is written whole at the end of a run: run again, or "
            f"./assay run --resume {folder}"
        ) from None
    schema = document.get("schema") if isinstance(document, dict) else None
    if not isinstance(schema, int) or isinstance(schema, bool):
        raise BadDocument(
            f"{path} is not a run document: expected an object with a number `schema`, found "
            f"{'none' if isinstance(document, dict) else type(document).__name__}. Give the folder of a run"
        )
    if schema != SCHEMA_VERSION:
        raise BadDocument(
            f"{path} has schema {schema}, and this version reads schema {SCHEMA_VERSION}: draw it with the version of assay that wrote it"
        )
    _validate(document, path)
    return Run(document)


def _refuse(name: str) -> None:
    raise ValueError(f"{name} is no JSON number")


def _validate(document: dict, path: Path) -> None:
    from jsonschema import Draft202012Validator, exceptions

    schema = json.loads(SCHEMA_FILE.read_text(encoding="utf-8"))
    error = exceptions.best_match(Draft202012Validator(schema).iter_errors(document))
    if error is not None:
        raise BadDocument(
            f"{path} is not a valid run document: at {error.json_path}: {error.message[:300]}. "
            f"Expected what {SCHEMA_FILE.name} says; draw it with the version of assay that wrote it"
        )


@dataclass(frozen=True)
class Configuration:
    """`tracing.step{mode=eager}` taken apart."""

    id: str

    @property
    def scenario(self) -> str:
        return self.id.split(".", 1)[0]

    @property
    def case(self) -> str:
        return self.id.split("{", 1)[0]

    @property
    def values(self) -> dict[str, str]:
        inside = re.search(r"\{(.*)\}$", self.id)
        return dict(part.split("=", 1) for part in inside.group(1).split(",")) if inside else {}

    @property
    def short(self) -> str:
        """Without the scenario's name, for where that is clear."""
        return self.id.split(".", 1)[-1]


def natural(text: str) -> list:
    """A key that sorts `batch=8` before `batch=32`."""
    return [(int(part), "") if part.isdigit() else (-1, part) for part in re.split(r"(\d+)", text)]


class Run:
    """One run document with the questions that tables and figures ask of it."""

    def __init__(self, document: dict):
        self.document = document

    def __getitem__(self, key: str):
        return self.document[key]

    @cached_property
    def program_names(self) -> list[str]:
        return [program["name"] for program in self["programs"]]

    def label(self, row: dict) -> str:
        """A configuration's name; the program stands before it only where more than one ran."""
        name = Configuration(row["configuration"]).short
        return name if len(self.program_names) == 1 else f"{row['program']}: {name}"

    def used(self, scenario: str | None = None) -> list[dict]:
        """The processes that count, in the order in which they ran."""
        return [
            process
            for process in self["processes"]
            if process["used"] and (scenario is None or Configuration(process["configuration"]).scenario == scenario)
        ]

    def values(self, scenario: str) -> list[dict]:
        return [row for row in self["values"] if Configuration(row["configuration"]).scenario == scenario]

    def comparisons(self, scenario: str) -> list[dict]:
        return [row for row in self["comparisons"] if row["scenario"] == scenario]

    def events(self, scenario: str, kind: str) -> Iterator[tuple[dict, dict]]:
        """(process, event) of one kind, from the processes that count; of a broken one only its checks."""
        for process in self.used(scenario):
            if process["status"] == "failed" and kind != "check":
                continue
            for event in process["events"]:
                if event["event"] == kind:
                    yield process, event

    @cached_property
    def repetitions(self) -> dict[tuple[str, str, str], list[float]]:
        """(program, configuration, metric) -> what its only process measured several times over."""
        found: dict[tuple[str, str, str], list[list]] = {}
        for process in self.used():
            for event in process["events"] if process["status"] == "ok" else []:
                if event["event"] == "samples":
                    key = (process["program"], process["configuration"], event["metric"])
                    found.setdefault(key, []).append([value for value in event["values"] if value is not None])
        return {key: lists[0] for key, lists in found.items() if len(lists) == 1 and len(lists[0]) > 1}

    @cached_property
    def group_of(self) -> dict[tuple[str, str], str]:
        """(program, configuration) -> group. A configuration in several groups keeps the first."""
        found: dict[tuple[str, str], str] = {}
        for process in self.used():
            found.setdefault((process["program"], process["configuration"]), process["group"])
        return found

    @cached_property
    def parameters_of(self) -> dict[str, dict]:
        """configuration -> its parameters, defaults included where the program says them."""
        found: dict[str, dict] = {}
        for process in self.used():
            for event in process["events"]:
                if event["event"] == "start":
                    given = event.get("parameters") or {}
                    found.setdefault(
                        process["configuration"], {**given, **Configuration(process["configuration"]).values}
                    )
        return found

    def lengths(self, scenario: str) -> dict[str, list]:
        """Every protocol length of a scenario with the values that its cases ran with."""
        found: dict[str, list] = {}
        for _, event in self.events(scenario, "start"):
            for key, value in (event.get("lengths") or {}).items():
                if value not in found.setdefault(key, []):
                    found[key].append(value)
        return dict(sorted(found.items()))
