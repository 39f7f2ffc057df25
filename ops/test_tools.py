"""The system's tools that tests run: where they come from, and what happens where one is missing."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

TOOLS = {
    "blkid": "util-linux",
    "flock": "util-linux",
    "git": "git",
    "losetup": "mount",
    "mkfs.ext4": "e2fsprogs",
    "mkfs.xfs": "xfsprogs",
    "mkswap": "util-linux",
    "mount": "mount",
    "sha256sum": "coreutils",
}
"""Command -> the Debian package that has it. A test that runs one is marked ``needs("command")``."""


def missing() -> dict[str, str]:
    """The tools that are not on the PATH, with their Debian packages."""
    return {command: package for command, package in TOOLS.items() if shutil.which(command) is None}


def install_line(packages: list[str]) -> list[str]:
    """The command that installs the packages on Debian."""
    return ["apt-get", "install", "--yes", "--no-install-recommends", *sorted(set(packages))]


def provide() -> None:
    """Install missing tools as root on Debian; elsewhere say how to, and what will be skipped.

    Changes nothing where every tool is there, which is the usual case.
    """
    lacking = missing()
    if not lacking:
        return
    install = install_line(list(lacking.values()))
    if os.geteuid() == 0 and Path("/etc/debian_version").exists():
        print(f"clusterform: installing what tests need: {' '.join(install)}", file=sys.stderr)
        environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
        for command in (["apt-get", "update"], install):
            subprocess.run([*command, "--quiet"], env=environment, stdout=sys.stderr, check=False)
        return
    print(
        f"clusterform: tests that need {', '.join(sorted(lacking))} will be skipped; on Debian:", file=sys.stderr
    )
    print(f"  {' '.join(install)}", file=sys.stderr)
