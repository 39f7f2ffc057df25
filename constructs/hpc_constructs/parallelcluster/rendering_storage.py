"""Disks and shared filesystems."""

from __future__ import annotations

from config.derived import DEFAULT_IOPS, DEFAULT_THROUGHPUT, export_target
from config.models.cluster import Cluster
from config.models.compute import RootVolume
from config.models.storage import Ebs, Efs, FsxLustre, Nfs
from hpc_constructs.intrinsics import Value


def root_volume(volume: RootVolume, default_gib: int) -> dict[str, Value]:
    """A node's root volume."""
    return {
        "Size": default_gib if volume.size_gib is None else volume.size_gib,
        **_volume(volume.type, volume.iops, volume.throughput),
        "Encrypted": volume.encrypted,
    }


def shared_storage(spec: Cluster) -> list[dict[str, Value]]:
    """What ParallelCluster mounts. NFS servers are not among it: a node script mounts those."""
    settings = {Ebs: ("Ebs", _ebs), Efs: ("Efs", _efs), FsxLustre: ("FsxLustre", _lustre)}
    documents = []
    for storage in spec.storage:
        if isinstance(storage, Nfs):
            continue
        kind, render = settings[type(storage)]
        documents.append(
            {
                "Name": storage.name,
                "MountDir": storage.mount,
                "StorageType": kind,
                f"{kind}Settings": render(storage),
            }
        )
    return documents


def nfs_security_groups(spec: Cluster) -> list[str]:
    """The groups that NFS servers admit; every node is put into them."""
    groups = [storage.security_group for storage in spec.storage if isinstance(storage, Nfs)]
    return sorted({group for group in groups if group is not None})


def _volume(kind: str, iops: int | None, throughput: int | None) -> dict[str, Value]:
    """IOPS exist for gp3, io1 and io2, throughput for gp3 only.

    Defaults are written out, so that a reviewer sees them and no release of ParallelCluster moves them.
    """
    rendered: dict[str, Value] = {"VolumeType": kind}
    if kind in DEFAULT_IOPS:
        rendered["Iops"] = DEFAULT_IOPS[kind] if iops is None else iops
    if kind == "gp3":
        rendered["Throughput"] = DEFAULT_THROUGHPUT if throughput is None else throughput
    return rendered


def _ebs(storage: Ebs) -> dict[str, Value]:
    if storage.id is not None:
        return {"VolumeId": storage.id}
    settings = {
        "Size": storage.size_gib,
        **_volume(storage.volume_type, storage.iops, storage.throughput),
        "Encrypted": storage.encrypted,
        "KmsKeyId": storage.kms_key,
        "DeletionPolicy": storage.on_delete.capitalize(),
    }
    return _given(settings)


def _efs(storage: Efs) -> dict[str, Value]:
    """Beside an existing filesystem's id ParallelCluster refuses all but the way of mounting."""
    if storage.id is not None:
        return {"FileSystemId": storage.id, "EncryptionInTransit": storage.encryption_in_transit}
    settings = {
        "PerformanceMode": storage.performance_mode,
        "ThroughputMode": storage.throughput_mode,
        "ProvisionedThroughput": storage.provisioned_throughput,
        "Encrypted": storage.encrypted,
        "KmsKeyId": storage.kms_key,
        "EncryptionInTransit": storage.encryption_in_transit,
        "DeletionPolicy": storage.on_delete.capitalize(),
    }
    return _given(settings)


def _lustre(storage: FsxLustre) -> dict[str, Value]:
    if storage.id is not None:
        return {"FileSystemId": storage.id}
    settings = {
        "StorageCapacity": storage.size_gib,
        "DeploymentType": storage.deployment_type,
        "PerUnitStorageThroughput": storage.throughput_per_tib,
        "KmsKeyId": storage.kms_key,
        "WeeklyMaintenanceStartTime": storage.weekly_maintenance,
        **_hydration(storage),
        "DeletionPolicy": storage.on_delete.capitalize(),
    }
    return _given(settings)


def _hydration(storage: FsxLustre) -> dict[str, Value]:
    hydration, target = storage.hydration, export_target(storage)
    if hydration is None or target is None:
        return {}
    return {
        "ImportPath": f"s3://{hydration.import_bucket}/{hydration.import_path}",
        "ExportPath": "s3://{}/{}".format(*target),
        "ImportedFileChunkSize": hydration.chunk_size_mib,
        # ParallelCluster knows no NONE: the key is left out instead.
        "AutoImportPolicy": None if hydration.auto_import == "NONE" else hydration.auto_import,
    }


def _given(settings: dict[str, Value]) -> dict[str, Value]:
    return {key: value for key, value in settings.items() if value is not None}
