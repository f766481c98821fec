"""`python -m plots RUN [--out DIR]`: draws the report of one run. Exit codes as in docs/exit_codes.md."""

import argparse
import importlib.util
import os
import signal
import sys
from pathlib import Path

from plots.document import BadDocument, load

NEEDED = ("matplotlib", "jinja2", "jsonschema")


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="plots",
        description="Draws the report of one run from its run.json.",
        epilog="Example: python -m plots results/runs/20261130-070000-machine-tracing",
    )
    parser.add_argument("run", type=Path, help="the folder of a run")
    parser.add_argument("--out", type=Path, help="where the report goes; RUN/report when left out")
    options = parser.parse_args(arguments)

    missing = [name for name in NEEDED if importlib.util.find_spec(name) is None]
    if missing:
        requirements = Path(__file__).resolve().parents[1] / "requirements.txt"
        print(
            f"plots: {', '.join(missing)} missing from {sys.executable}. Type this, then draw again:\n"
            f"  '{sys.executable}' -m pip install -r '{requirements}'",
            file=sys.stderr,
        )
        return 5

    try:
        run = load(options.run)
        from plots.page import write_report  # only here: it imports matplotlib

        index = write_report(run, options.out or options.run / "report")
        print(index, flush=True)
    except BadDocument as error:
        print(f"plots: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("plots: interrupted: draw it again with ./assay report", file=sys.stderr)
        return 128 + signal.SIGINT
    except BrokenPipeError:  # whoever read the path has gone; the report stands
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # else the exit would flush into the pipe again
        return 0
    except OSError as error:
        print(
            f"plots: {error.filename or options.out or options.run}: {error.strerror or error}: "
            "give a folder that can be written with --out",
            file=sys.stderr,
        )
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
