"""The tags that everything of a cluster carries."""

from __future__ import annotations

from config.models.cluster import Cluster
from hpc_constructs.intrinsics import Value

OWNER_TAG = "clusterform:owner"
"""Holds the id of the stack that owns the cluster: the ownership gate and the provider role go by it."""


def cluster_tags(name: str, spec: Cluster) -> dict[str, str]:
    """The tags that are known without a deployment; no date, since a clock would change every synthesis."""
    ours = {
        "ClusterID": name,
        "ClusterOwner": spec.owner.name,
        "ClusterOwnerEmail": spec.owner.email,
        "ClusterOwnerDepartment": spec.owner.department,
        "ClusterStackType": "ParallelCluster",
        "ClusterOSType": spec.os,
        "ClusterScheduler": "slurm",
        "ProdLevel": spec.environment,
    }
    if spec.owner.project is not None:
        ours["ProjectID"] = spec.owner.project
    return ours | {key: value for key, value in spec.tags.items() if key not in ours}


def document_tags(name: str, spec: Cluster, owner: Value) -> list[dict[str, Value]]:
    """The same as ParallelCluster takes them, with the owner and the deployment's serial number."""
    tags = cluster_tags(name, spec) | {"ClusterSerialNumber": serial(owner), OWNER_TAG: owner}
    return [{"Key": key, "Value": value} for key, value in tags.items()]


def serial(owner: Value) -> Value:
    """What tells two deployments of one name apart: the UUID at the end of the stack's id."""
    if isinstance(owner, str):
        return owner.rsplit("/", 1)[-1]
    return {"Fn::Select": [2, {"Fn::Split": ["/", owner]}]}
