"""What people are told about the end of a cluster, as plain data."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from config.models.cluster import Cluster
from hpc_constructs.identity.rendering_fragment import values
from hpc_constructs.parallelcluster.rendering_merge import merge
from hpc_constructs.parallelcluster.rendering_storage import shared_storage

PROVIDER_LOG_DAYS = 90
"""Written in the template of ParallelCluster's provider."""

REMOVALS = {
    ("Ebs", "Retain"): ("EBS volume", "aws ec2 delete-volume"),
    ("Ebs", "Snapshot"): ("snapshot of EBS volume", "aws ec2 delete-snapshot"),
    ("Efs", "Retain"): (
        "EFS filesystem with mount targets and security group",
        "aws efs delete-mount-target, aws efs delete-file-system and aws ec2 delete-security-group",
    ),
    ("FsxLustre", "Retain"): (
        "FSx for Lustre filesystem with security group",
        "aws fsx delete-file-system and aws ec2 delete-security-group",
    ),
}
"""Storage type and DeletionPolicy: what ParallelCluster's template then leaves, and the way to remove it."""


def kept(name: str, spec: Cluster) -> list[str]:
    """What outlives the cluster on purpose and may cost money, one line each, with the way to remove it."""
    document = merge({"SharedStorage": shared_storage(spec)}, spec.parallelcluster.raw)
    return [*_log_groups(name, spec.logs.retention_days, document), *_storage(name, document)]


def _log_groups(name: str, days: int, document: dict[str, Any]) -> Iterator[str]:
    """The groups of the nodes, of the cluster's own functions, and of the function that managed the cluster."""
    settings = "Monitoring.Logs.CloudWatch"
    gone = values(document, f"{settings}.DeletionPolicy") == ["Delete"]
    none = values(document, f"{settings}.Enabled") == [False]
    groups = [
        (f"/aws/parallelcluster/{name}-...", "of the nodes", days, gone or none),
        ("/aws/lambda/pcluster-Cleanup...", "of the cluster's own functions", days, gone),
        ("/aws/lambda/pcluster-cfn-...", "of the function that managed the cluster", PROVIDER_LOG_DAYS, False),
    ]
    for group, whose, expiry, absent in groups:
        if not absent:
            yield (
                f"log group {group}: {whose}, entries expire after {expiry} days; "
                "remove it with aws logs delete-log-group"
            )


def _storage(name: str, document: dict[str, Any]) -> Iterator[str]:
    for storage in document["SharedStorage"]:
        for kind in values(storage, "StorageType"):
            for policy in values(storage, f"{kind}Settings.DeletionPolicy"):
                if (kind, policy) in REMOVALS:
                    what, removal = REMOVALS[kind, policy]
                    yield f"{what}: {storage['Name']} of cluster {name}; remove it with {removal}"
