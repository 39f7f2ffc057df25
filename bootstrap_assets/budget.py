"""How long a node's first start takes as a rule, and how long the engine waits for it.

The numbers are for a plan, not a promise: those of steps and filesystems are estimates of ours, those of hooks the
user's, and none was measured on AWS by us.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from bootstrap_assets.catalogue import steps_after_hooks, steps_before_hooks
from bootstrap_assets.step import EVERY_NODE
from config.derived import BOOTSTRAP_SECONDS, bootstrap_timeout, made_by_engine
from config.models.cluster import Cluster
from config.rules.timeouts import CREATION_SECONDS

ENGINE_SECONDS = {"head": 600, "login": 480, "compute": 480}
"""What ParallelCluster itself takes from launch to our scripts and after them. Ten compute nodes that failed in
their scripts, one after the other, took 82 minutes where that was measured; a head node does a little more."""
COMPUTE_SECONDS = BOOTSTRAP_SECONDS
"""ParallelCluster 3.16.1 waits as long for a compute node as for a head node (its NODE_BOOTSTRAP_TIMEOUT)."""


@dataclass(frozen=True)
class Item:
    """One part of a start: what it is, in a few words, and its seconds."""

    what: str
    seconds: int


@dataclass(frozen=True)
class Budget:
    """One node type's start. ``timeout`` is when the engine gives a node up; None where it waits for none."""

    node: str
    items: tuple[Item, ...]
    timeout: int | None

    @property
    def seconds(self) -> int:
        """The whole start, one part after the other."""
        return sum(item.seconds for item in self.items)


def budgets(name: str, spec: Cluster) -> list[Budget]:
    """The starts of a cluster's node types, head node first; login nodes only where the cluster has some."""
    compute = Budget("compute", tuple(_own_items("compute", name, spec)), COMPUTE_SECONDS)
    head = Budget("head", tuple(_head_items(name, spec, compute)), bootstrap_timeout(spec))
    login = [Budget("login", tuple(_own_items("login", name, spec)), None)] if spec.login else []
    return [head, *login, compute]


def _head_items(name: str, spec: Cluster, compute: Budget) -> Iterator[Item]:
    """The head node's clock runs from the beginning of the stack, and stops when the static nodes are there."""
    new = [storage for storage in spec.storage if made_by_engine(storage)]
    slowest = max(new, key=lambda storage: CREATION_SECONDS.get(storage.type, 0), default=None)
    if slowest is not None and slowest.type in CREATION_SECONDS:
        yield Item(f"new filesystem {slowest.name}", CREATION_SECONDS[slowest.type])
    yield from _own_items("head", name, spec)
    static = sum(queue.min_nodes for queue in spec.queues)
    if static:
        yield Item(f"static nodes ({static}), side by side", compute.seconds)


def _own_items(node: str, name: str, spec: Cluster) -> Iterator[Item]:
    assert node in EVERY_NODE
    yield Item("ParallelCluster", ENGINE_SECONDS[node])
    for step in (*steps_before_hooks(name, spec), *steps_after_hooks(name, spec)):
        if node in step.nodes:
            yield Item(step.name, step.seconds)
    for hook in (*spec.hooks.on_node_start, *spec.hooks.on_node_configured):
        if node in hook.nodes:
            yield Item(f"hook {hook.script}", hook.seconds)
