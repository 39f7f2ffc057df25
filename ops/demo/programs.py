"""Runs the programs of the demo, so that an interruption leaves none of them behind."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

GRACE_SECONDS = 5.0
"""How long a program may take to end when it is told to."""


class ProgramFailed(Exception):
    """A program ended with an error; ``output`` is all that it said."""

    def __init__(self, command: Sequence[str], status: int, output: str) -> None:
        super().__init__(f"{Path(command[0]).name} {command[1]} ended with status {status}")
        self.command = command
        self.output = output


def run(
    command: Sequence[str], *, folder: Path, environment: Mapping[str, str], each_line: Callable[[str], None]
) -> str:
    """Run a program and return its output, both kinds as one; ``each_line`` sees every line as it comes.

    Raises ProgramFailed for a status other than 0. Whatever interrupts it ends the program and its children first.
    """
    process = subprocess.Popen(
        command,
        cwd=folder,
        env=dict(environment),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        errors="replace",
        start_new_session=True,
    )
    lines: list[str] = []
    try:
        assert process.stdout is not None
        for line in process.stdout:
            lines.append(line)
            each_line(line.rstrip())
        status = process.wait()
    except BaseException:
        _end(process)
        raise
    if status:
        raise ProgramFailed(command, status, "".join(lines))
    return "".join(lines)


def _end(process: subprocess.Popen[str]) -> None:
    """End the program's whole group: politely, then without asking."""
    for number, seconds in ((signal.SIGTERM, GRACE_SECONDS), (signal.SIGKILL, GRACE_SECONDS)):
        try:
            os.killpg(process.pid, number)
            process.wait(seconds)
        except ProcessLookupError:
            return
        except subprocess.TimeoutExpired:
            continue
