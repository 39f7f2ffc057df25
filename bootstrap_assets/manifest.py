"""What runs on nodes, as a list of lines that say everything a reviewer and a node need.

A script's line is ``NAME SHA256 STAGES NODES``, four words parted by one space, then each argument after a tab
(arguments may hold spaces and quotes, and may be empty). STAGES and NODES are lists with commas. A download's line
is ``NAME SHA256 URL [NODES]``. The entry script's line comes first, with ``entry`` for its stage; it runs the
others.

The template holds these lines as they are, so that one edited script is one changed line. The node's ``manifest``
object is the same lines, each with a line break. Beside it lie ``entry.sh``, ``scripts/NAME-SHA256.sh`` and
``downloads/NAME-SHA256``.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import cached_property

START = "start"
CONFIGURED = "configured"
UPDATED = "updated"
JOB = "job"
"""Run by Slurm, not by the entry script: its one argument is the file below Slurm's folder of scripts."""


@dataclass(frozen=True)
class Script:
    """A rendered script. ``stage`` is one moment, or several with commas: ``configured,updated``."""

    name: str
    content: bytes
    stage: str
    nodes: tuple[str, ...]
    args: tuple[str, ...] = ()

    @cached_property
    def sha256(self) -> str:
        """The content's SHA-256, in hexadecimal."""
        return hashlib.sha256(self.content).hexdigest()

    def line(self) -> str:
        """The script's line."""
        words = " ".join([self.name, self.sha256, self.stage, ",".join(self.nodes)])
        return "\t".join([words, *self.args])


@dataclass(frozen=True)
class Download:
    """A file from the internet, staged at deploy under its name and hash. ``nodes`` fetch it; None means all."""

    name: str
    sha256: str
    url: str
    nodes: tuple[str, ...] | None = None

    def line(self) -> str:
        """The file's line."""
        words = [self.name, self.sha256, self.url]
        return " ".join(words if self.nodes is None else [*words, ",".join(self.nodes)])


@dataclass(frozen=True)
class Manifest:
    """Everything one cluster's nodes run, in order."""

    entry: Script
    scripts: tuple[Script, ...]
    downloads: tuple[Download, ...]

    def lines(self) -> list[str]:
        """The entry script's line, then the scripts', then the downloads'."""
        return [item.line() for item in (self.entry, *self.scripts, *self.downloads)]

    @cached_property
    def sha256(self) -> str:
        """The SHA-256 of the node's ``manifest`` object, in hexadecimal."""
        return _text_sha256(self.lines())

    @cached_property
    def job_sha256(self) -> str | None:
        """The same for the lines of scripts that Slurm runs; None without such scripts."""
        lines = [script.line() for script in self.scripts if script.stage == JOB]
        return _text_sha256(lines) if lines else None


def _text_sha256(lines: list[str]) -> str:
    return hashlib.sha256("".join(f"{line}\n" for line in lines).encode()).hexdigest()
