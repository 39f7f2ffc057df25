"""Whether a cluster uses Spot, and the role that it then needs. Plain data."""

from __future__ import annotations

from config.models.cluster import Cluster
from hpc_constructs.identity.rendering_fragment import values

SPOT_ROLE = "AWSServiceRoleForEC2Spot"
"""Made once an account, by an administrator or by the account's stack: docs/account-file.md, spot_role."""

CAPACITY = "Scheduling.SlurmQueues[].CapacityType"


def uses_spot(spec: Cluster) -> bool:
    """Whether a queue is of Spot instances, raw fragment included."""
    return any(queue.capacity == "spot" for queue in spec.queues) or "SPOT" in values(
        spec.parallelcluster.raw, CAPACITY
    )
