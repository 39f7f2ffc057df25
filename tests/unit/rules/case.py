"""A row of a rule's table, and the parts that rows are made of."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from config.findings import KeyPath
from tests.factories import MINIMAL

Document = dict[str, Any]


@dataclass(frozen=True, kw_only=True)
class Case:
    """``bad`` must be reported by ``rule`` at ``path`` with ``says`` in its message; ``good``, its neighbour, not.

    Both are changes of the minimal cluster's top-level keys. ``name`` and ``good_name`` are the cluster's name.
    """

    rule: str
    path: KeyPath
    says: str
    bad: Document = field(default_factory=dict)
    good: Document = field(default_factory=dict)
    name: str = "demo"
    good_name: str = "demo"

    def __str__(self) -> str:
        return f"{self.rule}: {self.says}"


def head(**changes: Any) -> Document:
    return {"head_node": MINIMAL["head_node"] | changes}


def queue(**changes: Any) -> Document:
    return MINIMAL["queues"][0] | changes


def queues(*items: Document, **changes: Any) -> Document:
    """Several queues, or one with changes."""
    return {"queues": list(items) or [queue(**changes)]}


def pool(**changes: Any) -> Document:
    return {"name": "login", "subnet": "public-a"} | changes


def storage(*items: Document) -> Document:
    return {"storage": list(items)}


def ebs(**changes: Any) -> Document:
    return {"name": "shared", "mount": "/shared", "type": "ebs"} | changes


def efs(**changes: Any) -> Document:
    return {"name": "efs", "mount": "/efs", "type": "efs"} | changes


def lustre(**changes: Any) -> Document:
    return {"name": "fsx", "mount": "/fsx", "type": "fsx-lustre"} | changes


def imported(file: str = "shared-home", **changes: Any) -> Document:
    return {"name": "home", "mount": "/home", "from": file} | changes


def nfs(**changes: Any) -> Document:
    return {"name": "nfs", "mount": "/nfs/data", "type": "nfs", "server": "10.0.0.9", "export": "/data"} | changes


def subnets(**changes: Document) -> Document:
    """Further subnets, or changed ones; underscores stand for hyphens."""
    changed = {key.replace("_", "-"): value for key, value in changes.items()}
    network = MINIMAL["network"]
    return {"network": network | {"subnets": network["subnets"] | changed}}
