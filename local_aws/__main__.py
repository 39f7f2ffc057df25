"""``python -m local_aws --port N --state DIR``: a local AWS on a loopback port, in the foreground."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from local_aws import environment


def main() -> int:
    """Parse, set the environment, serve; 130 when interrupted before the server stood."""
    parser = argparse.ArgumentParser(prog="python -m local_aws", description=__doc__)
    parser.add_argument("--port", type=int, required=True, help="a free port of 127.0.0.1")
    parser.add_argument("--state", type=Path, required=True, help="a folder for its files")
    arguments = parser.parse_args()
    state = arguments.state.resolve()
    environment.apply(arguments.port, state)
    try:
        # Only now: ministack reads the environment at import.
        from local_aws import server

        server.run(arguments.port, state)
    except KeyboardInterrupt:
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())
