"""What ParallelCluster's rules answer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

Level = Literal["error", "warning", "info"]
Kind = Literal["schema", "validator", "not_checked", "crash"]
Verdict = Literal["allowed", "action_needed", "refused", "unknown"]


@dataclass(frozen=True)
class Message:
    """One thing that ParallelCluster says about a configuration.

    ``kind`` not_checked names a check that needs AWS, crash one in which ParallelCluster itself failed. ``path``
    is the place in its document, the nearest section where only that is known; ``rule`` its validator.
    """

    level: Level
    kind: Kind
    message: str
    path: str
    rule: str = ""


@dataclass(frozen=True)
class Change:
    """One difference between two configurations and what becomes of it. An absent value is None.

    ``policy`` is ParallelCluster's name. The verdict action_needed means: not in the present state of the fleet;
    unknown: ParallelCluster's own check crashed, which blocks the update as well.
    """

    path: str
    old: Any
    new: Any
    policy: str
    verdict: Verdict
    reason: str = ""
    action: str = ""


@dataclass(frozen=True)
class UpdateResult:
    """Every change of an update; refused when one of them would make ParallelCluster refuse all."""

    changes: tuple[Change, ...]

    @property
    def blocking(self) -> tuple[Change, ...]:
        """The changes for which ParallelCluster would refuse the update."""
        return tuple(change for change in self.changes if change.verdict != "allowed")

    @property
    def refused(self) -> bool:
        """Whether ParallelCluster would refuse the update."""
        return bool(self.blocking)
