"""What nodes run at their moments: always the entry script, with arguments that never change.

On a live cluster ParallelCluster refuses any change to the head node's and the login nodes' scripts *and
arguments*. So every node gets the same address, Region, moment and stack id for the cluster's whole life; what
runs then is in the manifest.
"""

from __future__ import annotations

from config.models.cluster import Cluster
from config.models.compute import Queue
from hpc_constructs.intrinsics import Value
from hpc_constructs.parallelcluster.rendering_references import References


def head_actions(spec: Cluster, references: References) -> dict[str, Value]:
    """The head node's three moments.

    Slurm's scripts around jobs lie on the head node, and the next job is to run the changed ones whatever the
    rollout: so their hash is an argument of the one moment whose arguments may change. A change of it updates the
    cluster, and the update runs this moment.
    """
    jobs = [] if references.job_sha256 is None else ["jobs", references.job_sha256]
    return {
        "OnNodeStart": _entry(spec, references, "start"),
        "OnNodeConfigured": _entry(spec, references, "configured"),
        "OnNodeUpdated": _entry(spec, references, "updated", *jobs),
    }


def login_actions(spec: Cluster, references: References) -> dict[str, Value]:
    """A login pool's one moment."""
    return {"OnNodeConfigured": _entry(spec, references, "configured")}


def queue_actions(spec: Cluster, queue: Queue, references: References) -> dict[str, Value]:
    """A queue's one moment.

    Under ``rollout: drain`` the manifest's hash is an argument, so that changed scripts change the queue and its
    nodes are replaced. The queue's name stands before it, so that a diff says where.
    """
    drain = [queue.name, references.manifest_sha256] if spec.rollout == "drain" else []
    return {"OnNodeConfigured": _entry(spec, references, "configured", *drain)}


def _entry(spec: Cluster, references: References, stage: str, *more: str) -> dict[str, Value]:
    return {
        "Script": references.entry_url,
        "Args": [references.entry_url, spec.region, stage, references.owner, *more],
    }
