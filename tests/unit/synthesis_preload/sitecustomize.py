"""Loaded by Python at its start: another clock, no network. Attempts are recorded, for errors may be swallowed."""

import os
import socket
import time
from datetime import datetime as real_datetime


def _refuse(*args, **kwargs):
    with open(os.environ["ATTEMPTS"], "a", encoding="utf-8") as file:  # noqa: PTH123
        file.write(f"python {args[1:]}\n")
    raise OSError("no network in this test")


socket.socket.connect = _refuse
socket.socket.connect_ex = _refuse
socket.getaddrinfo = _refuse

SHIFT = float(os.environ.get("CLOCK_SHIFT", "0"))
_time = time.time
time.time = lambda: _time() + SHIFT
time.time_ns = lambda: int((_time() + SHIFT) * 1e9)


class Shifted(real_datetime):
    """A datetime whose present is elsewhere."""

    @classmethod
    def now(cls, tz=None):
        """The shifted present."""
        return cls.fromtimestamp(time.time(), tz)


__import__("datetime").datetime = Shifted
