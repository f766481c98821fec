"""`./assay peers`: lists the peers and what they can do; `./assay peers install NAME…` makes their environments."""

import argparse
import fcntl
import json
import os
import signal
import sys
from pathlib import Path

from peers.catalogue import PEERS
from peers.install import ROOT, CannotInstall, environment, install, state
from peers.protocol import unknown


def main(arguments: list[str], deps: Path = ROOT / ".deps") -> int:
    parser = argparse.ArgumentParser(
        prog="assay peers",
        description="Lists the frameworks that can be measured beside assay, and the commands that install them.",
        epilog="Example: ./assay peers install jax tensorflow, then ./assay reproduce. "
        "To remove one, delete its folder .deps/peers/NAME. Exit codes: 2 usage, 5 it cannot be installed here.",
    )
    parser.add_argument("--json", action="store_true", help="the list as JSON")
    commands = parser.add_subparsers(dest="command")
    installer = commands.add_parser("install", help="installs these peers from PyPI, replacing their environments")
    installer.add_argument("names", nargs="+", metavar="NAME", help=", ".join(PEERS))
    options = parser.parse_args(arguments)
    if options.command != "install":
        return _list(deps, options.json)
    for name in options.names:
        if name not in PEERS:
            print(f"assay: {unknown('peer', name, list(PEERS))}", file=sys.stderr)
            return 2
    for name in dict.fromkeys(options.names):
        try:
            with _lock(deps):
                print(f"assay: installing {PEERS[name].title} into {environment(name, deps)}", file=sys.stderr)
                install(name, deps)
        except CannotInstall as error:
            print(f"assay: {PEERS[name].title} was not installed: {error}", file=sys.stderr)
            return 5
        except KeyboardInterrupt:
            print(f"assay: stopped; {PEERS[name].title} was not installed and nothing was kept", file=sys.stderr)
            return 130
        print(f"{PEERS[name].title} {state(name, deps)['version']} is installed.")
    return 0


def _lock(deps: Path):
    """One installation at a time."""
    try:
        (deps / "peers").mkdir(parents=True, exist_ok=True)
        file = open(deps / "peers/.lock", "w")
    except OSError as error:
        raise CannotInstall(f"{error.filename}: {error.strerror}; clone assay into a folder that you can write") from None
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        print("assay: waiting for another installation to end", file=sys.stderr)
        fcntl.flock(file, fcntl.LOCK_EX)
    return file


def _list(deps: Path, as_json: bool) -> int:
    states = [state(name, deps) for name in PEERS]
    if as_json:
        print(json.dumps(states, indent=2))
        return 0
    print(f"{'peer':13}{'framework':14}{'version':9}{'here':15}{'size':8}")
    for one in states:
        here = "installed" if one["current"] else "older version" if one["installed"] else "no"
        size = f"{one['bytes'] / 1e9:.1f} GB" if one["installed"] else ""
        line = "" if one["current"] else one["install"]
        print(f"{one['name']:13}{one['title']:14}{one['version']:9}{here:15}{size:8}{line}".rstrip())
    return 0


if __name__ == "__main__":
    try:
        code = main(sys.argv[1:])
        sys.stdout.flush()
    except BrokenPipeError:  # the reader went away, as `head` does
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = 128 + signal.SIGPIPE
    sys.exit(code)
