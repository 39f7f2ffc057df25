"""Which form each filesystem of a cluster has: who made it, and is the only one to delete it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .response import Event
from .stacks import find

PROPERTY = "Filesystems"
"""The guard's property: one text a filesystem, its name and its form, which may say more behind a colon."""

WORDS = {
    "parallelcluster": "what ParallelCluster manages",
    "stack": "the cluster's own stack (managed_by: stack)",
    "storage": "a storage file (from)",
    "id": "one that exists already (id)",
}


def refuse_moved(event: Event) -> None:
    """The guard's update: no filesystem goes from one form to another, which would take its data away from it.

    A rollback puts back what a refused update never changed, so it is let through.
    """
    former, wanted = _forms(event.get("OldResourceProperties", {})), _forms(event["ResourceProperties"])
    moved = sorted(name for name in former.keys() & wanted.keys() if former[name] != wanted[name])
    if not moved or _rolls_back(event):
        return
    name = moved[0]
    raise ValueError(
        f"filesystem {name} cannot move from {WORDS[former[name]]} to {WORDS[wanted[name]]}: its data would be "
        "left behind. Nothing was touched. Declare the new one beside it under another name and mount, copy the "
        "data, then remove the old one; or mount the new one in a second cluster and delete this one"
    )


def _forms(properties: Mapping[str, Any]) -> dict[str, str]:
    entries = [entry.partition(" ") for entry in properties.get(PROPERTY, [])]
    return {name: form.partition(":")[0] for name, _, form in entries}


def _rolls_back(event: Event) -> bool:
    stack = find(event["StackId"])
    return stack is not None and "ROLLBACK" in stack["StackStatus"]
