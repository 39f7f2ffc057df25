"""Values that follow from a cluster's configuration where the file leaves them out, for all who need them."""

from __future__ import annotations

from pathlib import PurePosixPath
from typing import TypeGuard

from config.facts.instance_types import InstanceTypes
from config.models.cluster import Cluster
from config.models.compute import LoginPool, Queue
from config.models.filesystems import Hydration, LustreSettings
from config.models.storage import Ebs, Efs, FsxLustre, Imported, Storage
from config.models.storage_file import StorageFile

HEAD_ROOT_GIB = 100
QUEUE_ROOT_GIB = 250
DEFAULT_IOPS = {"gp3": 3000, "io1": 100, "io2": 100}
"""What ParallelCluster 3.16.1 asks for where no IOPS are given."""
DEFAULT_THROUGHPUT = 125
"""MB/s that every gp3 volume has."""

BOOTSTRAP_SECONDS = 2100
"""ParallelCluster's own head node timeout."""
LUSTRE_EXTRA_SECONDS = 1800
EFS_EXTRA_SECONDS = 600

PACKAGE_KINDS = ("fsx-lustre", "efs", "nfs", "ebs")
"""Where software goes, best first. Filesystems of storage files count as what they are."""
HOME_PACKAGES = "/home/clusterform/pkg"
"""Without a filesystem of the cluster's: ParallelCluster exports the head node's /home to every node."""

_LOGIN_TYPES = {"arm64": "c8g.xlarge", "x86_64": "c5.xlarge"}


def is_managed(storage: Storage) -> TypeGuard[Ebs | Efs | FsxLustre]:
    """Whether the filesystem is made for the cluster, by ParallelCluster or by the cluster's stack."""
    return isinstance(storage, Ebs | Efs | FsxLustre) and storage.id is None


def made_by_engine(storage: Storage) -> TypeGuard[Ebs | Efs | FsxLustre]:
    """Whether ParallelCluster makes it, together with the cluster."""
    return is_managed(storage) and storage.managed_by == "parallelcluster"


def made_by_stack(storage: Storage) -> TypeGuard[Ebs | Efs | FsxLustre]:
    """Whether the cluster's stack makes it, before the cluster."""
    return is_managed(storage) and storage.managed_by == "stack"


def bootstrap_timeout(spec: Cluster) -> int:
    """Seconds until the head node counts as failed: as given, else longer where it waits for new filesystems.

    The greatest extra counts, not the sum: filesystems are created side by side.
    """
    given = spec.head_node.bootstrap_timeout
    if given is not None:
        return given
    kinds = {storage.type for storage in spec.storage if made_by_engine(storage)}
    if "fsx-lustre" in kinds:
        return BOOTSTRAP_SECONDS + LUSTRE_EXTRA_SECONDS
    return BOOTSTRAP_SECONDS + (EFS_EXTRA_SECONDS if "efs" in kinds else 0)


def package_storage(spec: Cluster) -> Storage | None:
    """The filesystem that software goes to; of several of one kind the first; None where nothing is shared."""
    ranked = [storage for storage in spec.storage if _kind(storage) in PACKAGE_KINDS]
    return min(ranked, key=lambda storage: PACKAGE_KINDS.index(_kind(storage)), default=None)


def package_directory(spec: Cluster) -> str:
    """Where software of all users goes: ``pkg`` on the best shared filesystem, else below /home."""
    storage = package_storage(spec)
    return HOME_PACKAGES if storage is None else str(PurePosixPath(storage.mount) / "pkg")


def _kind(storage: Storage) -> str:
    if isinstance(storage, Imported):
        return storage.stored.type
    return storage.type


def login_instance_type(spec: Cluster, pool: LoginPool, types: InstanceTypes) -> str:
    """The pool's own type, else the usual one of the head node's architecture.

    Raises KeyError for a head node of an unknown type.
    """
    return pool.instance_type or _LOGIN_TYPES[types[spec.head_node.instance_type].architecture]


def gpudirect(queue: Queue, types: InstanceTypes) -> bool:
    """Whether the queue uses GPUDirect RDMA. Raises KeyError for an unknown type."""
    if queue.gpudirect is not None:
        return queue.gpudirect
    return queue.efa and all(types[name].gpudirect for name in queue.instance_types)


def placement_group(queue: Queue) -> bool:
    """Whether the queue's nodes are placed close together: EFA is of little use without."""
    return queue.placement_group or queue.efa


def termination_protection(spec: Cluster | StorageFile) -> bool:
    """Whether the stack refuses deletion until the protection is taken off: as given, else on in prod."""
    given = spec.termination_protection
    return spec.environment == "prod" if given is None else given


def notification_emails(spec: Cluster) -> list[str]:
    """Who is told when the cluster is up, could not be made, or is gone; nobody by us with a topic of others."""
    if spec.notifications.topic_arn is not None:
        return []
    return spec.notifications.emails or [spec.owner.email]


def used_subnets(spec: Cluster) -> list[str]:
    """The keys of the subnets that have nodes, head node first."""
    keys = [spec.head_node.subnet, *(pool.subnet for pool in spec.login)]
    return list(dict.fromkeys([*keys, *(key for queue in spec.queues for key in queue.subnets)]))


HYDRATION_HELPERS = ("import-s3-to-lustre.sh", "export-lustre-to-s3.sh", "check-lustre-export-progress.sh")
"""Commands of the head node in /opt/clusterform/bin, where there is such a filesystem."""


def hydrated_mounts(spec: Cluster) -> tuple[str, ...]:
    """Where Lustre filesystems are mounted that load from S3 and write back, those of storage files included."""
    return tuple(storage.mount for storage in spec.storage if _hydration(storage) is not None)


def _hydration(storage: Storage) -> Hydration | None:
    settings = storage.stored if isinstance(storage, Imported) else storage
    return settings.hydration if isinstance(settings, LustreSettings) else None


def export_target(lustre: LustreSettings) -> tuple[str, str] | None:
    """Bucket and path that a hydrated filesystem writes back to; None without hydration.

    Without an export bucket both fall back to where the data came from.
    """
    hydration = lustre.hydration
    if hydration is None:
        return None
    if hydration.export_bucket is None:
        return hydration.import_bucket, hydration.import_path
    return hydration.export_bucket, hydration.export_path
