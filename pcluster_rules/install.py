"""Installs one version of ParallelCluster's rules into its own folder, once, whatever interrupts it."""

from __future__ import annotations

import fcntl
import hashlib
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from pcluster_rules.errors import RulesError

LISTS = Path(__file__).parent / "versions"
RULES = Path(__file__).parents[1] / ".rules"
STAMP = "installed.sha256"


def versions() -> tuple[str, ...]:
    """Every version whose rules can be installed, oldest first."""
    names = (file.stem for file in LISTS.glob("*.txt"))
    return tuple(sorted(names, key=lambda name: tuple(int(part) for part in name.split("."))))


def ensure(version: str, root: Path = RULES) -> Path:
    """The folder that holds this version's rules, installed now if need be.

    Raises RulesError for a version that has no list, and with pip's last lines when the installation fails.
    Several processes may ask at once: one installs, the others wait.
    """
    if version not in versions():
        raise RulesError(f"ParallelCluster {version} is not supported; supported: {', '.join(versions())}")
    folder = root / version
    stamp = _stamp(version)
    if _is_installed(folder, stamp):
        return folder
    root.mkdir(parents=True, exist_ok=True)
    with _lock(root / f"{version}.lock"):
        if not _is_installed(folder, stamp):
            _install(version, folder, stamp)
    return folder


def _stamp(version: str) -> str:
    """Follows the list and the interpreter, for compiled packages fit one Python only."""
    python = f"{sys.implementation.cache_tag}\n".encode()
    return hashlib.sha256(python + (LISTS / f"{version}.txt").read_bytes()).hexdigest()


def _is_installed(folder: Path, stamp: str) -> bool:
    try:
        return (folder / STAMP).read_text(encoding="ascii") == stamp
    except OSError:
        return False


@contextmanager
def _lock(file: Path) -> Iterator[None]:
    with file.open("w") as handle:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield


def _install(version: str, folder: Path, stamp: str) -> None:
    """Beside the final place first, so that the folder is either whole or absent."""
    for leftover in folder.parent.glob(f"{version}.part-*"):
        shutil.rmtree(leftover, ignore_errors=True)
    part = folder.parent / f"{version}.part-{os.getpid()}"
    started = time.monotonic()
    print(f"installing the rules of ParallelCluster {version} (once)", file=sys.stderr, flush=True)
    try:
        _pip(version, part)
        (part / STAMP).write_text(stamp, encoding="ascii")
        shutil.rmtree(folder, ignore_errors=True)
        part.rename(folder)
    finally:
        shutil.rmtree(part, ignore_errors=True)
    print(f"installed in {time.monotonic() - started:.0f} s", file=sys.stderr, flush=True)


def _pip(version: str, target: Path) -> None:
    """Shows each package as pip comes to it; keeps the rest for an error."""
    command = [sys.executable, "-m", "pip", "install", "--no-deps", "--require-hashes", "--only-binary", ":all:"]
    command += ["--disable-pip-version-check", "--no-input", "--progress-bar", "off", "--target", str(target)]
    command += ["--requirement", str(LISTS / f"{version}.txt")]
    environment = os.environ | {"PIP_USER": "0"}
    output: list[str] = []
    with subprocess.Popen(
        command,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    ) as pip:
        assert pip.stdout is not None
        for line in pip.stdout:
            output.append(line.rstrip())
            if line.startswith("Collecting "):
                print(f"  {line.split()[1]}", file=sys.stderr, flush=True)
    if pip.returncode != 0:
        last = "\n  ".join(output[-5:])
        raise RulesError(f"the rules of ParallelCluster {version} cannot be installed; pip says:\n  {last}")
