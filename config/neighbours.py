"""Clusters whose resources would bear one name: ParallelCluster builds names out of a cluster's name and others.

Where these names meet, the second of two clusters of one account and Region cannot be created.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from config.facts.instance_types import InstanceTypes
from config.findings import KeyPath
from config.models.cluster import Cluster
from config.rules.base import Problem
from config.rules.raw import ROOT, places
from config.vcpu_classes import classes
from config.wording import quoted

TABLE = "parallelcluster-"
SLURM = "slurm-"
"""A cluster has two tables in DynamoDB: the second bears its name after both prefixes, the first after one."""
LAUNCH_TEMPLATE = "launch template"
POOLS = ("LoginNodes", "Pools", "*", "Name")
QUEUES = ("Scheduling", "SlurmQueues", "*")


@dataclass(frozen=True)
class _Use:
    """A name that a cluster takes. ``path`` and ``what`` are its reason: a place in the file, and words for it."""

    kind: str
    text: str
    path: KeyPath
    what: str


def related(names: Iterable[str], others: Iterable[str]) -> list[str]:
    """The clusters among ``others``, sorted, that can be in the way of one in ``names`` and are none of them."""
    ours = set(names)
    return sorted(other for other in set(others) - ours if any(_meet(name, other) for name in ours))


def clashes(clusters: Sequence[tuple[str, Cluster]], types: InstanceTypes) -> Iterator[tuple[str, Problem]]:
    """Each cluster's name with the problem that it takes a name of one before it, once a place in its file."""
    taken: dict[tuple[str, str, str], list[tuple[str, Cluster, _Use]]] = {}
    found: set[tuple[str, KeyPath]] = set()
    for name, spec in clusters:
        for use in _uses(name, spec, types):
            owners = taken.setdefault((spec.region, use.kind, use.text), [])
            owner = next((one for one in owners if one[0] != name and _may_share_account(one[1], spec)), None)
            if owner and (name, use.path) not in found:
                found.add((name, use.path))
                yield name, _problem(use, owner[0], owner[2], spec.region)
            owners.append((name, spec, use))


def _meet(name: str, other: str) -> bool:
    short, long = sorted((name, other), key=len)
    return long.startswith(f"{short}-") or long == f"{SLURM}{short}"


def _may_share_account(one: Cluster, other: Cluster) -> bool:
    return one.account is None or other.account is None or one.account == other.account


def _uses(name: str, spec: Cluster, types: InstanceTypes) -> Iterator[_Use]:
    """The names that ParallelCluster 3.15 and 3.16 make. All others end in a way of their own, or in a hash."""
    yield _Use("table", f"{TABLE}{name}", (), "")
    yield _Use("table", f"{TABLE}{SLURM}{name}", (), "")
    for path, pool in _pools(spec):
        yield _Use(LAUNCH_TEMPLATE, f"{name}-{pool}", path, f"login pool {pool}")
    for path, queue, resource in _resources(spec, types):
        yield _Use(LAUNCH_TEMPLATE, f"{name}-{queue}-{resource}", path, f"queue {queue}")


def _pools(spec: Cluster) -> Iterator[tuple[KeyPath, str]]:
    for index, pool in enumerate(spec.login):
        yield ("login", index, "name"), pool.name
    yield from places(spec.parallelcluster.raw, POOLS, ROOT)


def _resources(spec: Cluster, types: InstanceTypes) -> Iterator[tuple[KeyPath, str, str]]:
    for index, queue in enumerate(spec.queues):
        for group in classes(queue, types):
            yield ("queues", index, "name"), queue.name, group.name
    for path, queue in places(spec.parallelcluster.raw, QUEUES, ROOT):
        for inner, resource in places(queue, ("ComputeResources", "*", "Name"), path):
            yield inner, str(queue.get("Name")), resource


def _problem(use: _Use, owner: str, theirs: _Use, region: str) -> Problem:
    whose = f"{theirs.what} of cluster {owner}" if theirs.what else f"cluster {owner}"
    message = f"ParallelCluster names a {use.kind} {quoted(use.text)}, and one of {whose} in {region} the same"
    hint = "rename what is not deployed yet; if their accounts differ, write account in both files"
    return Problem(use.path, message, hint)
