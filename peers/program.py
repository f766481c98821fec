"""A peer's `main`: the commands `cases` and `case`. It imports the framework only to run a case."""

import importlib
import json
import sys
from importlib import metadata
from pathlib import Path

from peers.catalogue import PEERS, catalogue
from peers.protocol import Parameters, Report, Skipped, Usage


def version_of(name: str) -> str | None:
    """The version of the framework in this environment; None where it is not installed."""
    try:
        return metadata.version(PEERS[name].package)
    except metadata.PackageNotFoundError:
        return None


def not_installed(name: str) -> str:
    return f"{PEERS[name].title} is not installed; this line installs it: ./assay peers install {name}"


def main(name: str, arguments: list[str]) -> int:
    version = version_of(name)
    offered = catalogue(name, version or "not installed")
    try:
        if arguments[:1] == ["cases"]:
            data = Path(arguments[2]) if arguments[1:2] == ["--data"] and len(arguments) > 2 else None
            if data and version:
                _check_data(data)
            print(json.dumps(offered))
            return 0
        if arguments[:1] != ["case"]:
            raise Usage(f"peers/{name}/program: expected cases or case NAME, found {' '.join(arguments) or 'nothing'}")
        parameters = Parameters(offered, arguments[1:])
        if version:  # what follows needs packages
            from peers import thread_choice

            parameters.threads = thread_choice.chosen(parameters)
    except Usage as error:
        print(f"{name}: {error}", file=sys.stderr)
        return 2
    return run(name, version, parameters)


def _check_data(folder: Path) -> None:
    from peers import mnist

    try:
        for split in ("train", "t10k"):
            mnist.split(folder, split, 1)
    except mnist.BadData as error:
        raise Usage(str(error)) from None


def _run_body(name: str, parameters: Parameters, report: Report) -> None:
    from peers import cases, thread_choice

    if parameters.case == "models.threads":  # starts processes of its own
        thread_choice.choose(name, parameters, report)
        return
    framework = importlib.import_module(f"peers.{name}.framework").Framework(parameters.threads)
    cases.CASES[parameters.case](parameters, report, framework)


def run(name: str, version: str | None, parameters: Parameters) -> int:
    report = Report(parameters)
    report.start({"name": name, "version": version or "not installed", "commit": ""})
    try:
        if version is None:
            raise Skipped(not_installed(name))
        _run_body(name, parameters, report)
    except Skipped as reason:
        report.finish("skipped", str(reason))
        return 0
    except Exception as error:  # noqa: BLE001: whatever a framework throws is one failed row
        report.finish("failed", f"{type(error).__name__}: {error}"[:2000])
        return 1
    report.finish("ok")
    return 0
