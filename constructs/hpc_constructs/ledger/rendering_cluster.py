"""The ledger of a cluster: what its engine keeps on purpose, and the data that ends with it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from config.derived import HEAD_ROOT_GIB
from config.models.cluster import Cluster
from hpc_constructs.identity.rendering_fragment import has, literal, values
from hpc_constructs.ledger.rendering import (
    EFS_COST,
    LOG_COST,
    LUSTRE_COST,
    SNAPSHOT_COST,
    VOLUME_COST,
    Entry,
    Loss,
)
from hpc_constructs.parallelcluster.rendering_merge import merge
from hpc_constructs.parallelcluster.rendering_storage import shared_storage

PROVIDER_LOG_DAYS = 90
"""Written in the template of ParallelCluster's provider."""

HOME = "/home"

FIND = "aws resourcegroupstaggingapi get-resources"
"""Everything of a cluster bears its name in the tag ClusterID."""

_KINDS = {
    ("Ebs", "Retain"): ("EBS volume", VOLUME_COST, "ec2:volume", ("aws ec2 delete-volume --volume-id ID",)),
    ("Ebs", "Snapshot"): (
        "snapshot of EBS volume",
        SNAPSHOT_COST,
        "ec2:snapshot",
        ("aws ec2 delete-snapshot --snapshot-id ID",),
    ),
    ("Efs", "Retain"): (
        "EFS filesystem with mount targets and security group:",
        EFS_COST,
        "elasticfilesystem",
        (
            "aws efs delete-mount-target --mount-target-id ID",
            "aws efs delete-file-system --file-system-id ID",
            "aws ec2 delete-security-group --group-id ID",
        ),
    ),
    ("FsxLustre", "Retain"): (
        "FSx for Lustre filesystem with security group:",
        LUSTRE_COST,
        "fsx",
        ("aws fsx delete-file-system --file-system-id ID", "aws ec2 delete-security-group --group-id ID"),
    ),
}
"""Storage type and DeletionPolicy: what ParallelCluster's template then leaves, its cost, and its removal."""

_WORDS = {"Ebs": "EBS volume", "Efs": "EFS filesystem", "FsxLustre": "FSx for Lustre filesystem"}


def kept(name: str, spec: Cluster) -> list[Entry]:
    """What the engine keeps when cluster ``name`` is deleted; what the stack keeps is declared beside it."""
    document = _document(spec)
    return [*_log_groups(name, spec, document), *_retained(name, spec.region, document)]


def data_lost_with_cluster(spec: Cluster) -> list[Loss]:
    """The data that ends with the cluster, where the configuration does not put it elsewhere."""
    document = _document(spec)
    losses = [_root_volume(spec, document)]
    if spec.software.accounting and not has(document, "Scheduling.SlurmSettings.Database"):
        losses.append(
            Loss(
                what="Slurm's accounting database: jobs, users, limits and usage",
                instead="to keep it, dump it on the head node first, with mysqldump",
            )
        )
    return [*losses, *_deleted(document)]


def _document(spec: Cluster) -> dict[str, Any]:
    """The engine's document, as far as the ledger asks it."""
    return merge({"SharedStorage": shared_storage(spec)}, spec.parallelcluster.raw)


def _log_groups(name: str, spec: Cluster, document: dict[str, Any]) -> Iterator[Entry]:
    """The groups of the nodes, of the cluster's own functions, and of the function that managed the cluster."""
    days = spec.logs.retention_days
    settings = "Monitoring.Logs.CloudWatch"
    gone = values(document, f"{settings}.DeletionPolicy") == ["Delete"]
    none = values(document, f"{settings}.Enabled") == [False]
    functions = "/aws/lambda/pcluster-"
    groups = [
        (f"/aws/parallelcluster/{name}-20", "the nodes' logs tell why a cluster failed", days, gone or none),
        (f"{functions}Cleanup", "logs of the cluster's own functions, which run until its very end", days, gone),
        (f"{functions}cfn-", "logs of the function that made the cluster", PROVIDER_LOG_DAYS, False),
    ]
    for prefix, reason, expiry, absent in groups:
        if not absent:
            yield Entry(
                what=f"log group {prefix}...",
                reason=reason,
                cost=f"{LOG_COST} after {expiry} days",
                removal=(
                    f"aws logs describe-log-groups --region {spec.region} --log-group-name-prefix {prefix}",
                    f"aws logs delete-log-group --region {spec.region} --log-group-name NAME",
                ),
            )


def _retained(name: str, region: str, document: dict[str, Any]) -> Iterator[Entry]:
    for storage in document["SharedStorage"]:
        for kind in values(storage, "StorageType"):
            for policy in values(storage, f"{kind}Settings.DeletionPolicy"):
                if (kind, policy) in _KINDS:
                    what, cost, tagged, removal = _KINDS[kind, policy]
                    yield Entry(
                        what=f"{what} {literal(storage['Name'])}",
                        reason=f"holds data, and its on_delete is {policy.lower()}",
                        cost=cost,
                        removal=(
                            f"{FIND} --region {region} --tag-filters Key=ClusterID,Values={name} "
                            f"--resource-type-filters {tagged}",
                            *(f"{command} --region {region}" for command in removal),
                        ),
                    )


def _deleted(document: dict[str, Any]) -> Iterator[Loss]:
    """Filesystems that ParallelCluster deletes, as it does where nothing else is asked for."""
    for storage in document["SharedStorage"]:
        for kind in values(storage, "StorageType"):
            settings = (values(storage, f"{kind}Settings") or [{}])[0]
            existing = "VolumeId" in settings or "FileSystemId" in settings
            if kind in _WORDS and not existing and settings.get("DeletionPolicy", "Delete") == "Delete":
                where = literal(str(storage.get("MountDir", "")))
                yield Loss(
                    what=f"{_WORDS[kind]} {literal(storage['Name'])}, mounted at {where}",
                    instead="to keep it, set its on_delete to retain before the cluster is deleted",
                )


def _root_volume(spec: Cluster, document: dict[str, Any]) -> Loss:
    size = spec.head_node.root_volume.size_gib or HEAD_ROOT_GIB
    volume = f"the head node's root volume, {size} GiB"
    if HOME in values(document, "SharedStorage[].MountDir") or any(each.mount == HOME for each in spec.storage):
        return Loss(what=volume, instead=f"{HOME} is not on it")
    return Loss(
        what=f"{volume}, with everybody's {HOME} on it",
        instead=f"to keep it, mount {HOME} from a filesystem that outlives the cluster",
    )
