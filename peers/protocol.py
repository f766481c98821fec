"""The case protocol (docs/protocol.md) from the program's side: the command line of a case, and the events it prints."""

import argparse
import difflib
import hashlib
import json
import math
import os
from pathlib import Path

from peers.timing import Timing

# Nothing here needs a package, so that a peer that is not installed can say so.
DATA = Path(__file__).resolve().parents[1] / "data/mnist"


class Skipped(Exception):
    """Why a case cannot run here."""


class Usage(Exception):
    """A wrong command line: exit code 2."""


class Parameters:
    """What `case NAME …` asks for, defaults of the case filled in."""

    def __init__(self, catalogue: dict, arguments: list[str]):
        parser = argparse.ArgumentParser(prog="case", exit_on_error=False, add_help=False)
        parser.add_argument("name")
        for option in ("--set", "--artifact", "--service", "--length"):
            parser.add_argument(option, action="append", default=[])
        for option, default in (("--seed", 0), ("--threads", 1), ("--repetitions", 5)):
            parser.add_argument(option, type=int, default=default)
        parser.add_argument("--off", default="")
        parser.add_argument("--data", type=Path, default=DATA)
        parser.add_argument("--out", type=Path, default=Path("."))
        try:
            found = parser.parse_args(arguments)
        except argparse.ArgumentError as error:
            raise Usage(f"case: {error}") from None

        cases = {case["name"]: case for scenario in catalogue["scenarios"] for case in scenario["cases"]}
        self.case = found.name
        self.values = {p["name"]: p["default"] for p in _one_of("case", found.name, cases)["parameters"]}
        allowed = {p["name"]: p["values"] for p in cases[found.name]["parameters"]}
        for key, value in map(_pair, found.set):
            _one_of(f"value of {key}", value, dict.fromkeys(_one_of(f"parameter of {found.name}", key, allowed)))
            self.values[key] = value
        self.lengths = {key: _length(key, value) for key, value in map(_pair, found.length)}
        self.artifacts = {key: Path(value) for key, value in map(_pair, found.artifact)}
        self.seed, self.threads, self.repetitions = found.seed, found.threads, found.repetitions
        self.data, self.out = found.data, found.out

    def length(self, name: str) -> int:
        if name not in self.lengths:
            raise Usage(f"{self.case}: no length '{name}' (the profile sets it; --length {name}=NUMBER)")
        return self.lengths[name]

    def artifact(self, name: str) -> Path:
        if name not in self.artifacts:
            raise Usage(f"{self.case}: no artifact '{name}' (--artifact {name}=PATH)")
        return self.artifacts[name]


def _length(key: str, text: str) -> int:
    if not (text.isascii() and text.isdecimal() and int(text) >= 1):
        raise Usage(f"--length {key}: expected a whole number from 1 up, found '{text}'")
    return int(text)


def unknown(what: str, wrong: str, names) -> str:
    """`unknown peer 'jaxx'; did you mean 'jax'?`"""
    near = difflib.get_close_matches(wrong, names, 1)
    return f"unknown {what} '{wrong}'; " + (f"did you mean '{near[0]}'?" if near else f"there are: {' '.join(names)}")


def _one_of(what: str, name: str, among: dict):
    if name not in among:
        raise Usage(unknown(what, name, list(among)))
    return among[name]


def _pair(text: str) -> tuple[str, str]:
    key, equals, value = text.partition("=")
    if not equals or not key:
        raise Usage(f"expected NAME=VALUE, found '{text}'")
    return key, value


class Report:
    """Prints events, one JSON object a line. It keeps standard output for them and points descriptor 1 at standard error,
    where the messages of libraries go."""

    def __init__(self, parameters: Parameters):
        self.parameters = parameters
        self._out = os.fdopen(os.dup(1), "w", encoding="utf-8")
        os.dup2(2, 1)

    def emit(self, event: str, **fields) -> None:
        self._out.write(json.dumps({"event": event, **fields}, allow_nan=False) + "\n")
        self._out.flush()

    def start(self, program: dict) -> None:
        p = self.parameters
        self.emit(
            "start",
            protocol=1,
            case=p.case,
            parameters=p.values,
            lengths=p.lengths,
            seed=p.seed,
            threads=p.threads,
            program=program,
            controls=[],
        )

    def choose(self, name: str, value) -> None:
        self.emit("choice", name=name, value=value)

    def value(self, metric: str, unit: str, better: str, value: float) -> None:
        self.emit("value", metric=metric, unit=unit, better=better, **_number("value", value))

    def samples(self, metric: str, timing: Timing, items: float = 1) -> None:
        """Times in ns, divided by the items that a call works on."""
        values = [sample / items for sample in timing.samples]
        self.emit("samples", metric=metric, unit="ns", better="lower", values=values, warmup=timing.warmup)

    def numbers(self, metric: str, unit: str, better: str, values: list[float]) -> None:
        """Samples without a Timing: shares, ratios, and times that a case measured itself."""
        self.emit("samples", metric=metric, unit=unit, better=better, values=values, warmup=1)

    def series(self, name: str, x: tuple[str, str, list], y: tuple[str, str, list]) -> None:
        axis = lambda a: {"name": a[0], "unit": a[1], "values": [float(v) if math.isfinite(v) else None for v in a[2]]}  # noqa: E731
        self.emit("series", name=name, x=axis(x), y=axis(y))

    def check(self, name: str, measured: float, limit: float) -> None:
        passed = bool(math.isfinite(measured) and measured <= limit)
        self.emit("check", name=name, passed=passed, limit=float(limit), **_number("measured", measured))

    def predictions(self, name: str, predicted, expected) -> None:
        self.emit("predictions", name=name, predicted=[int(v) for v in predicted], expected=[int(v) for v in expected])

    def artifact(self, name: str, path: Path) -> None:
        digest = hashlib.sha256(path.read_bytes()).hexdigest()
        relative = str(path.relative_to(self.parameters.out))
        self.emit("artifact", name=name, path=relative, sha256=digest, format=path.suffix[1:])

    def finish(self, status: str, reason: str = "") -> None:
        self.emit("finish", status=status, reason=reason, peak_bytes=_peak_bytes())


def _number(key: str, value: float) -> dict:
    value = float(value)
    if math.isfinite(value):
        return {key: value}
    return {
        key: None,
        "reason": "not a number" if math.isnan(value) else "infinite" if value > 0 else "negative infinite",
    }


def _peak_bytes() -> int | None:
    """VmHWM, the peak of resident memory."""
    try:
        lines = Path("/proc/self/status").read_text().splitlines()
    except OSError:
        return None
    return next((int(line.split()[1]) * 1024 for line in lines if line.startswith("VmHWM:")), None)
