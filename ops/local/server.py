"""Starts and stops a local AWS: one background process group on a loopback port, with its files in one folder."""

from __future__ import annotations

import contextlib
import importlib.util
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from dataclasses import asdict, dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
RECORD, LOG = "server.json", "server.log"
READY_SECONDS = 60.0
"""It takes one second on an idle machine."""

STOP_SECONDS = 10.0
POLL_SECONDS = 0.05
ATTEMPTS = 3
"""Starts before giving up: another program may take the free port between our looking and our listening."""


class LocalAwsError(Exception):
    """The local AWS cannot be started or stopped; the text says why."""


@dataclass(frozen=True)
class Server:
    """A local AWS that was started: its process, which leads its own group, and its port."""

    pid: int
    port: int
    state: Path

    @property
    def endpoint(self) -> str:
        """Its address for AWS_ENDPOINT_URL."""
        return f"http://127.0.0.1:{self.port}"


def start(state: Path) -> Server:
    """Start a fresh local AWS whose files live in ``state``, and wait until it answers.

    What an earlier one left in the folder is removed. Raises LocalAwsError when its packages are missing or it
    does not come up; an interruption meanwhile leaves no process.
    """
    if importlib.util.find_spec("ministack") is None:
        raise LocalAwsError("the local AWS is not installed here; ./clusterform local up installs it")
    shutil.rmtree(state, ignore_errors=True)
    state.mkdir(parents=True)
    for attempt in range(1, ATTEMPTS + 1):
        server = _launch(state)
        try:
            if _becomes_ready(server):
                _record(server)
                return server
        except BaseException:
            stop(server)
            raise
        stop(server)
        if attempt == ATTEMPTS or "already in use" not in _log(state):
            break
    raise LocalAwsError(f"the local AWS did not start; its last words:\n{_log(state)[-1500:]}")


def running(state: Path) -> Server | None:
    """The server recorded in ``state`` if it still runs, even one that hangs; a record of one that is gone says
    nothing, and a process that took over its number is left alone."""
    try:
        record = json.loads((state / RECORD).read_text(encoding="utf-8"))
        server = Server(int(record["pid"]), int(record["port"]), state)
    except (OSError, ValueError, KeyError):
        return None
    return server if _answers(server) or _has_command_line(server) else None


def stop(server: Server) -> None:
    """End the server and every process it started, and remove its record.

    Politely first; after ten seconds without asking. Raises LocalAwsError when even that leaves something.
    """
    for number in (signal.SIGTERM, signal.SIGKILL):
        if not _signal_group(server.pid, number):
            break
        deadline = time.monotonic() + STOP_SECONDS
        while _group_exists(server.pid) and time.monotonic() < deadline:
            time.sleep(POLL_SECONDS)
    if _group_exists(server.pid):
        raise LocalAwsError(f"the local AWS (process group {server.pid}) does not end")
    (server.state / RECORD).unlink(missing_ok=True)


def _launch(state: Path) -> Server:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, "-m", "local_aws", "--port", str(port), "--state", str(state)]
    with (state / LOG).open("wb") as log:
        process = subprocess.Popen(
            command,
            cwd=ROOT,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    return Server(process.pid, port, state)


def _becomes_ready(server: Server) -> bool:
    """Whether it answers before the time is up or the process ends."""
    deadline = time.monotonic() + READY_SECONDS
    while time.monotonic() < deadline and _group_exists(server.pid):
        if _answers(server):
            return True
        time.sleep(POLL_SECONDS)
    return False


def _answers(server: Server) -> bool:
    """Whether this very process answers on the port; another program there is not it."""
    try:
        with urllib.request.urlopen(f"{server.endpoint}/_local_aws/status", timeout=2) as answer:
            return json.load(answer).get("pid") == server.pid
    except (OSError, ValueError, AttributeError):
        return False


def _has_command_line(server: Server) -> bool:
    """Whether the process of that number was started as this server was; only Linux tells."""
    try:
        command = Path(f"/proc/{server.pid}/cmdline").read_bytes()
    except OSError:
        return False
    return b"local_aws" in command and str(server.state).encode() in command


def _record(server: Server) -> None:
    text = json.dumps(asdict(server) | {"state": str(server.state)}, indent=2)
    (server.state / RECORD).write_text(text + "\n", encoding="utf-8")


def _signal_group(group: int, number: int) -> bool:
    """Send a signal to the group; whether there was one."""
    try:
        os.killpg(group, number)
    except ProcessLookupError:
        return False
    return True


def _group_exists(group: int) -> bool:
    """Whether the group has a living process; one of our own children that ended is collected first."""
    with contextlib.suppress(ChildProcessError):
        os.waitpid(group, os.WNOHANG)
    return _signal_group(group, 0)


def _log(state: Path) -> str:
    return (state / LOG).read_text(encoding="utf-8", errors="replace")
