"""Real small filesystems for tests, where the machine lets us mount."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest


def must(*command: str | Path) -> str:
    """Run a command, and skip the test with what it says where the machine does not let us: as no root, in a
    container without devices."""
    if os.geteuid() != 0:
        pytest.skip(f"{command[0]} needs root")
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        pytest.skip(f"this machine refuses {command[0]}: {done.stderr.strip().partition(chr(10))[0]}")
    return done.stdout.strip()


@contextmanager
def small_disk(place: Path, kib: int) -> Iterator[Path]:
    """A filesystem of its own at ``place``, of so many KiB."""
    place.mkdir(parents=True, exist_ok=True)
    must("mount", "-t", "tmpfs", "-o", f"size={kib}k", "tmpfs", place)
    try:
        yield place
    finally:
        subprocess.run(["umount", "--lazy", place], check=True)


def fill(place: Path) -> None:
    """Leave no byte free."""
    with (place / "filling").open("wb", buffering=0) as file:
        for size in (4096, 1):
            try:
                while file.write(b"x" * size):
                    pass
            except OSError:
                continue
