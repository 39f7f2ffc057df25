"""Space on each node for files that need not outlive it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import PurePosixPath

from bootstrap_assets.step import Step, Subject
from config.facts.instance_types import InstanceType, load
from config.models.cluster import Cluster


def steps(subject: Subject) -> Iterator[Step]:
    """Scratch space is on every node; ``/scratch`` leads to it unless a shared filesystem is there.

    Nodes whose types have NVMe instance stores use them, where ParallelCluster has not mounted them itself.
    """
    nodes = _nodes_with_instance_store(subject.spec, load())
    if nodes:
        yield Step("use-instance-store", "scratch/use_instance_store.sh.j2", seconds=15, nodes=nodes)
    shared = any(PurePosixPath(storage.mount).is_relative_to("/scratch") for storage in subject.spec.storage)
    yield Step("prepare-scratch", "scratch/prepare_scratch.sh.j2", seconds=1, values={"scratch_is_shared": shared})


def _nodes_with_instance_store(spec: Cluster, types: Mapping[str, InstanceType]) -> tuple[str, ...]:
    """The kinds of nodes with at least one such type; on each node, the script sees for itself."""
    used = {
        "head": [spec.head_node.instance_type],
        # The type of a pool that names none has no disks.
        "login": [pool.instance_type for pool in spec.login],
        "compute": [name for queue in spec.queues for name in queue.instance_types],
    }
    return tuple(
        kind
        for kind, names in used.items()
        if any(name in types and types[name].instance_store_nvme for name in names)
    )
