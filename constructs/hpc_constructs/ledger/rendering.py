"""The ledger: what outlives its stack on purpose, and what ends with it, as plain data.

Each thing that is retained is declared once, as an :class:`Entry`, beside the resource that it is about. The
output ``Kept`` of a stack and the last message about a cluster are made of the entries alone.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from hpc_constructs.intrinsics import Value, sub

LOG_COST = "stored log data, by GB and month, until it expires"
VOLUME_COST = "provisioned size, IOPS and throughput, by month, whether used or not"
SNAPSHOT_COST = "stored blocks, by GB and month"
EFS_COST = "stored data, by GB and month, and provisioned throughput"
LUSTRE_COST = "provisioned size and throughput, by month, whether used or not"
BUCKET_COST = "stored objects and their versions, by GB and month"
"""What each service charges for, in words: nothing in this project knows a price."""


@dataclass(frozen=True, kw_only=True)
class Entry:
    """One thing that outlives its stack on purpose.

    Every text may hold ``${LogicalId}`` and pseudo parameters as CloudFormation's Sub has them. ``what`` is the
    kind and the name, and names a resource of the same stack by its logical id: ``EFS filesystem ${Home} (home)``;
    a name of which only the beginning is known ends with three dots. ``cost`` says what is charged for.
    ``removal`` holds commands, in order, that find and remove it.
    """

    what: str
    reason: str
    cost: str
    removal: tuple[str, ...]

    def document(self) -> dict[str, Value]:
        """The entry as a custom resource's property."""
        return {
            "What": text(self.what),
            "Reason": text(self.reason),
            "Cost": text(self.cost),
            "Removal": [text(command) for command in self.removal],
        }


@dataclass(frozen=True, kw_only=True)
class Loss:
    """Data that ends with the stack: ``what`` it is, and where to put it so that it does not (``instead``)."""

    what: str
    instead: str

    def document(self) -> dict[str, Value]:
        """The loss as a custom resource's property."""
        return {"What": text(self.what), "Instead": text(self.instead)}


def summary(entries: Iterable[Entry]) -> Value:
    """One text for an output: the things alone, since reasons and commands are told by message and template."""
    return text("; ".join(entry.what for entry in entries) or "nothing")


def text(value: str) -> Value:
    """The text as it is, or where it refers to something, as CloudFormation's Sub."""
    return sub(value) if "${" in value else value
