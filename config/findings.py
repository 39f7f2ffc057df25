"""What a check has to say about a file: one finding a problem, with the place and what to write instead."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

KeyPath = tuple[str | int, ...]
"""Where a value stands, from the root of a cluster's configuration, e.g. ``("queues", 0, "max_nodes")``."""


class Severity(StrEnum):
    """ERROR refuses the synthesis, WARNING is shown and lets it pass."""

    ERROR = "error"
    WARNING = "warning"


@dataclass(frozen=True, kw_only=True)
class Finding:
    """One problem in one place.

    ``file`` is relative to the project root (or ``-c`` for a command-line override), ``line`` counts from 1 and
    is 0 where a file has no line to show (an absent file, a missing top-level key). ``rule`` is the stable name
    under which the rule is documented and tested.
    """

    rule: str
    message: str
    path: KeyPath = ()
    file: str = ""
    line: int = 0
    hint: str = ""
    severity: Severity = Severity.ERROR


class ConfigError(Exception):
    """Raised once with everything that is wrong, never for the first problem only."""

    def __init__(self, findings: list[Finding]) -> None:
        super().__init__(f"{len(findings)} problem(s)")
        self.findings = findings


def dotted(path: KeyPath) -> str:
    """``("queues", 0, "name")`` as people read it: ``queues[0].name``."""
    text = ""
    for part in path:
        text += f"[{part}]" if isinstance(part, int) else f".{part}" if text else str(part)
    return text
