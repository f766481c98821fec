#!/bin/sh
# start.sh NAME ARGUMENTS…: runs the peer in its own environment. Where that is not installed, any Python runs it to say so.
root=$(cd "$(dirname "$0")/.." && pwd)
name=$1
shift
python=$root/.deps/peers/$name/bin/python
[ -x "$python" ] || python=$(command -v /usr/bin/python3 || command -v python3) || { echo "$name: no python3 here" >&2; exit 5; }
PYTHONPATH=$root exec "$python" -c 'import sys; from peers.program import main; sys.exit(main(sys.argv[1], sys.argv[2:]))' "$name" "$@"
