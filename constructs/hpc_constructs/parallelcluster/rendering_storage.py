"""Disks and shared filesystems."""

from __future__ import annotations

from config.derived import DEFAULT_IOPS, DEFAULT_THROUGHPUT, export_target, made_by_stack
from config.models.cluster import Cluster
from config.models.compute import RootVolume
from config.models.storage import Ebs, Efs, FsxLustre, Imported, Nfs, Storage
from hpc_constructs.intrinsics import Value, ref
from hpc_constructs.storage.rendering_names import filesystem_id, imported_clients, imported_id, own_clients

KINDS = {"ebs": "Ebs", "efs": "Efs", "fsx-lustre": "FsxLustre"}


def root_volume(volume: RootVolume, default_gib: int) -> dict[str, Value]:
    """A node's root volume."""
    return {
        "Size": default_gib if volume.size_gib is None else volume.size_gib,
        **_volume(volume.type, volume.iops, volume.throughput),
        "Encrypted": volume.encrypted,
    }


def shared_storage(spec: Cluster) -> list[dict[str, Value]]:
    """What ParallelCluster mounts. NFS servers are not among it: a node script mounts those."""
    settings = {Ebs: _ebs, Efs: _efs, FsxLustre: _lustre, Imported: _imported}
    documents = []
    for storage in spec.storage:
        if isinstance(storage, Nfs):
            continue
        kind = KINDS[storage.stored.type if isinstance(storage, Imported) else storage.type]
        documents.append(
            {
                "Name": storage.name,
                "MountDir": storage.mount,
                "StorageType": kind,
                f"{kind}Settings": settings[type(storage)](storage),
            }
        )
    return documents


def storage_security_groups(spec: Cluster) -> list[Value]:
    """The groups that filesystems and NFS servers admit, each once; every node is put into them."""
    given = [storage.security_group for storage in spec.storage if isinstance(storage, Efs | FsxLustre | Nfs)]
    groups: list[Value] = [*sorted({group for group in given if group is not None})]
    if any(made_by_stack(storage) and not isinstance(storage, Ebs) for storage in spec.storage):
        groups.append(own_clients())
    files = {each.from_ for each in spec.storage if isinstance(each, Imported) and each.stored.type != "ebs"}
    return groups + [imported_clients(name) for name in sorted(files)]


def storage_forms(spec: Cluster) -> list[str]:
    """Each filesystem's name and form: who made it, and is the only one to delete it. NFS servers have none."""
    return [f"{storage.name} {_form(storage)}" for storage in spec.storage if not isinstance(storage, Nfs)]


def _form(storage: Ebs | Efs | FsxLustre | Imported) -> str:
    if isinstance(storage, Imported):
        return f"storage:{storage.from_}"
    return storage.managed_by if storage.id is None else f"id:{storage.id}"


def _own_id(storage: Storage) -> Value | None:
    """The id of what exists before the cluster: as given, or of the stack's own."""
    if made_by_stack(storage):
        return ref(filesystem_id(storage.name))
    return storage.id if isinstance(storage, Ebs | Efs | FsxLustre) else None


def _imported(storage: Imported) -> dict[str, Value]:
    stored = storage.stored
    found = imported_id(storage.from_, stored.name)
    if stored.type == "ebs":
        return {"VolumeId": found}
    if stored.type == "efs":
        return {"FileSystemId": found, "EncryptionInTransit": storage.encryption_in_transit}
    return {"FileSystemId": found}


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
    if (found := _own_id(storage)) is not None:
        return {"VolumeId": found}
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
    if (found := _own_id(storage)) is not None:
        return {"FileSystemId": found, "EncryptionInTransit": storage.encryption_in_transit}
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
    if (found := _own_id(storage)) is not None:
        return {"FileSystemId": found}
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
