"""The cluster's filesystems, one model a kind."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, PrivateAttr

from config.models.base import ID, Model, MountDir, Pattern, ResourceName, SecurityGroupId
from config.models.filesystems import EbsSettings, EfsSettings, LustreSettings
from config.models.storage_file import Filesystem, StorageFile

FileSystemId = Annotated[
    str, Pattern(rf"fs-{ID}", "must be a filesystem id such as fs-0abc1234 (8 or 17 characters of 0-9 and a-f)")
]
LustreId = Annotated[
    str, Pattern(r"fs-[0-9a-f]{17}", "must be an FSx filesystem id: fs- and 17 characters of 0-9 and a-f")
]
VolumeId = Annotated[
    str, Pattern(rf"vol-{ID}", "must be a volume id such as vol-0abc1234 (8 or 17 characters of 0-9 and a-f)")
]
Host = Annotated[str, Pattern(r"[A-Za-z0-9.-]+", "must be a host name or an address")]
ManagedBy = Annotated[
    Literal["parallelcluster", "stack"],
    Field(
        description="Who makes it: ParallelCluster with the cluster, or the cluster's stack before it, which "
        "takes none of the hour that a cluster may take"
    ),
]
ADMITTED = "With id: a group that it admits, which every node is put into"


class _Shared(Model):
    name: ResourceName = Field(description="At most 30 characters")
    mount: MountDir = Field(description="Where it is mounted on every node, e.g. /shared")


class Ebs(EbsSettings, _Shared):
    """A volume of the head node, exported to all nodes."""

    id: VolumeId | None = Field(default=None, description="Use this existing volume; it is never deleted")
    managed_by: ManagedBy = "parallelcluster"


class Efs(EfsSettings, _Shared):
    """Amazon EFS."""

    encryption_in_transit: bool = Field(default=True, description="Mount over TLS")
    id: FileSystemId | None = Field(default=None, description="Use this existing filesystem; it is never deleted")
    security_group: SecurityGroupId | None = Field(default=None, description=ADMITTED)
    managed_by: ManagedBy = "parallelcluster"


class FsxLustre(LustreSettings, _Shared):
    """Amazon FSx for Lustre."""

    id: LustreId | None = Field(default=None, description="Use this existing filesystem; it is never deleted")
    security_group: SecurityGroupId | None = Field(default=None, description=ADMITTED)
    managed_by: ManagedBy = "parallelcluster"


class Nfs(_Shared):
    """An NFS server that exists already; its export is mounted under /nfs on head, login and compute nodes."""

    type: Literal["nfs"] = Field(description="An NFS server that exists already")
    server: Host = Field(description="Its host name or address")
    export: MountDir = Field(description="The exported directory on the server")
    security_group: SecurityGroupId | None = Field(
        default=None, description="Attached to every node, where the server admits by group"
    )


@dataclass(frozen=True)
class Found:
    """The storage file that an entry refers to, and the filesystem in it, where there is such a one."""

    file: StorageFile
    filesystem: Filesystem | None


class Imported(_Shared):
    """A filesystem of a storage file's stack, which outlives clusters and may be shared by several."""

    type: Literal["storage-file"] = Field(default="storage-file", description="Goes without saying beside from")
    from_: ResourceName = Field(alias="from", description="The storage file, config/storage/NAME.yaml")
    filesystem: ResourceName | None = Field(
        default=None, description="Which one of the file. Left out: the only one"
    )
    encryption_in_transit: bool = Field(default=True, description="Mount EFS over TLS")
    _found: Found | None = PrivateAttr(default=None)

    @property
    def found(self) -> Found | None:
        """What the loader found in the storage file, if there is such a file."""
        return self._found

    @property
    def stored(self) -> Filesystem:
        """The filesystem itself, in a cluster that passed its rules."""
        assert self._found is not None and self._found.filesystem is not None
        return self._found.filesystem

    def bound(self, file: StorageFile | None) -> Imported:
        """The same entry, knowing the storage file that it names."""
        copied = self.model_copy()
        copied._found = Found(file, file.filesystem(self.filesystem)) if file else None
        return copied


def _with_type(entry: Any) -> Any:
    """``from`` alone tells what an entry is."""
    if isinstance(entry, dict) and "from" in entry and "type" not in entry:
        return {"type": "storage-file", **entry}
    return entry


Storage = Annotated[
    Ebs | Efs | FsxLustre | Nfs | Imported, Field(discriminator="type"), BeforeValidator(_with_type)
]
