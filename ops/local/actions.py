"""The project's own local AWS: one a checkout, in ``.local-aws/``."""

from __future__ import annotations

from ops.local import server
from ops.local.server import ROOT, Server

STATE = ROOT / ".local-aws"


def up() -> Server:
    """The running local AWS, started if there is none. Raises LocalAwsError."""
    return server.running(STATE) or server.start(STATE)


def down() -> bool:
    """Stop it; whether one ran. Raises LocalAwsError."""
    if running := server.running(STATE):
        server.stop(running)
    return running is not None


def status() -> Server | None:
    """The running one, or None."""
    return server.running(STATE)


def reset() -> Server:
    """Start afresh, with nothing in it. Raises LocalAwsError."""
    down()
    return server.start(STATE)
