"""Filesystems: how many, and which settings go together."""

from __future__ import annotations

from collections.abc import Iterator

from config.derived import is_managed
from config.findings import Severity
from config.models.storage import Ebs, Efs, FsxLustre, Nfs, Storage
from config.rules.base import Problem, Rule, Subject
from config.wording import quoted

# Beside the id, what still has a meaning for a filesystem that exists.
KEPT = {"ebs": set[str](), "efs": {"encryption_in_transit"}, "fsx-lustre": set[str]()}


class StorageCount(Rule):
    """ParallelCluster's limits: 5 EBS volumes; 1 new EFS and 1 new Lustre; 20 existing of each."""

    name = "storage-count"
    limits = {"new efs": 1, "new fsx-lustre": 1, "existing efs": 20, "existing fsx-lustre": 20, "ebs": 5}

    def check(self, subject: Subject) -> Iterator[Problem]:
        """Report each filesystem beyond its limit."""
        counts: dict[str, int] = {}
        for index, storage in enumerate(subject.spec.storage):
            kind = _counted_as(storage)
            counts[kind] = counts.get(kind, 0) + 1
            limit = self.limits.get(kind)
            if limit is not None and counts[kind] > limit:
                message = f"{quoted(storage.name)} is one too many: at most {limit} are possible ({kind})"
                yield Problem(("storage", index), message, "remove it, or give the id of one that exists already")


class UniqueStorageIds(Rule):
    """An existing filesystem is mounted once."""

    name = "unique-storage-ids"

    def check(self, subject: Subject) -> Iterator[Problem]:
        """Report the second of two."""
        first: dict[str, str] = {}
        for index, storage in enumerate(subject.spec.storage):
            if isinstance(storage, Nfs) or storage.id is None:
                continue
            other = first.setdefault(storage.id, storage.name)
            if other != storage.name:
                yield Problem(
                    ("storage", index, "id"), f"{storage.id} is already mounted as {quoted(other)}", "remove one"
                )


class ExistingStorage(Rule):
    """With the id of an existing filesystem, settings for making one mean nothing; it is never deleted either."""

    name = "existing-storage"

    def check(self, subject: Subject) -> Iterator[Problem]:
        """Report every setting that was written although it means nothing."""
        for index, storage in enumerate(subject.spec.storage):
            if is_managed(storage) or isinstance(storage, Nfs):
                continue
            meant = {"name", "mount", "type", "id"} | KEPT[storage.type]
            for key in sorted(storage.model_fields_set - meant):
                message = (
                    f"{key} means nothing beside id: {storage.id} exists already, and is never changed or deleted"
                )
                yield Problem(("storage", index, key), message, f"remove {key}, or remove id to make a new one")


class KmsNeedsEncryption(Rule):
    """A key without encryption means nothing."""

    name = "kms-needs-encryption"

    def check(self, subject: Subject) -> Iterator[Problem]:
        """Look for a key beside ``encrypted: false``."""
        for index, storage in enumerate(subject.spec.storage):
            if isinstance(storage, Ebs | Efs) and storage.kms_key is not None and not storage.encrypted:
                message = f"{quoted(storage.name)} has a key and encrypted: false"
                yield Problem(("storage", index, "encrypted"), message, "remove one of the two")


class EfsThroughput(Rule):
    """``provisioned_throughput`` and ``throughput_mode: provisioned`` need each other."""

    name = "efs-throughput"

    def check(self, subject: Subject) -> Iterator[Problem]:
        """Look for one without the other."""
        for index, storage in enumerate(subject.spec.storage):
            if not isinstance(storage, Efs):
                continue
            provisioned, amount = storage.throughput_mode == "provisioned", storage.provisioned_throughput
            if provisioned and amount is None:
                message = "throughput_mode is provisioned, without an amount"
                yield Problem(
                    ("storage", index, "throughput_mode"), message, "write provisioned_throughput, in MiB/s"
                )
            if amount is not None and not provisioned:
                message = f"{amount} MiB/s need throughput_mode: provisioned, it is {storage.throughput_mode}"
                hint = "write throughput_mode: provisioned"
                yield Problem(("storage", index, "provisioned_throughput"), message, hint)


class DeletedInProd(Rule):
    """In prod, a filesystem that dies with the cluster (or when it leaves the file) is worth a second look."""

    name = "deleted-in-prod"
    severity = Severity.WARNING

    def check(self, subject: Subject) -> Iterator[Problem]:
        """Look at filesystems that the cluster makes."""
        if subject.spec.environment != "prod":
            return
        for index, storage in enumerate(subject.spec.storage):
            if (
                isinstance(storage, Ebs | Efs | FsxLustre)
                and is_managed(storage)
                and storage.on_delete == "delete"
            ):
                message = f"{quoted(storage.name)} is deleted, with all data, when the cluster is"
                yield Problem(("storage", index, "on_delete"), message, "write on_delete: retain")


def _counted_as(storage: Storage) -> str:
    if isinstance(storage, Efs | FsxLustre):
        return f"{'new' if is_managed(storage) else 'existing'} {storage.type}"
    return storage.type
