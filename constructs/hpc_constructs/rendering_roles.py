"""Every role: who takes it, what caps it, which policies it has and what for. Plain data for the documentation."""

from __future__ import annotations

from dataclasses import dataclass

AGENT = "CloudWatchAgentServerPolicy"
BASE = ("ComputeBase", "NodeDeny")
CLUSTER_CEILING = "Ceiling"


@dataclass(frozen=True)
class RoleLine:
    """One kind of role. ``kind`` is its logical id, or the kind of node where ParallelCluster makes it.

    ``policies`` are logical ids of ours; ``cap`` is the logical id of the boundary that our stack declares for it,
    or empty where the role is the organisation's.
    """

    kind: str
    title: str
    taken_by: str
    made_by: str
    cap: str
    policies: tuple[str, ...]
    what_for: str


ENGINE = "ParallelCluster, with its own policy and AWS's CloudWatchAgentServerPolicy"

ROLES = (
    RoleLine(
        "head",
        "Head node",
        "EC2",
        ENGINE,
        "Boundary",
        ("HeadCompute", "HeadStorage", "HeadIdentity", *BASE),
        "Launches and ends compute nodes, serves the scheduler, mounts filesystems, reads its secrets.",
    ),
    RoleLine(
        "login",
        "Login pools, each",
        "EC2",
        ENGINE,
        "Boundary",
        BASE,
        "Where users come in; tells its Auto Scaling group when a node may end.",
    ),
    RoleLine(
        "compute",
        "Queues, each",
        "EC2",
        ENGINE,
        "Boundary",
        BASE,
        "Runs jobs: reads scripts, and what `access` names.",
    ),
    RoleLine(
        "cleanup",
        "Cleanup functions",
        "Lambda",
        "ParallelCluster, with its own policy",
        "Boundary",
        (),
        "Empties buckets and zones, and ends instances, when a cluster is deleted.",
    ),
    RoleLine(
        "ProviderRole",
        "Provider",
        "Lambda",
        "the cluster's stack",
        CLUSTER_CEILING,
        ("ProviderPolicyStacks", "ProviderPolicyIam", "ProviderPolicyFeatures"),
        "ParallelCluster's own function: creates, changes and deletes the cluster.",
    ),
    RoleLine(
        "StagingRole",
        "Staging function",
        "Lambda",
        "the cluster's stack",
        CLUSTER_CEILING,
        ("StagingPolicy",),
        "Stages what nodes run, as the only writer, and empties the two buckets at the end.",
    ),
    RoleLine(
        "LifecycleRole",
        "Lifecycle function",
        "Lambda",
        "the cluster's stack",
        CLUSTER_CEILING,
        ("LifecyclePolicy",),
        "Guards the cluster's name and ownership, and tells what became of it.",
    ),
    RoleLine(
        "reader",
        "The role that `ssh.key_reader` names",
        "whoever the organisation lets",
        "the organisation",
        "",
        ("KeyReader",),
        "Reads the private SSH key.",
    ),
    RoleLine(
        "BackupRole",
        "Backups of a storage file",
        "AWS Backup",
        "the storage file's stack",
        "BackupCeiling",
        ("BackupPolicy",),
        "Copies the filesystems that the file has backed up.",
    ),
)
