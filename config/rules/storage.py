"""Filesystems: how many, and which settings go together."""

from __future__ import annotations

from collections.abc import Iterator

from config.derived import is_managed, made_by_engine
from config.models.filesystems import EbsSettings, EfsSettings
from config.models.storage import Efs, FsxLustre, Imported, Nfs, Storage
from config.models.storage_file import StorageFile
from config.rules.base import FileSubject, FilesystemRule, Problem, Rule, Subject
from config.rules.parts import made
from config.wording import quoted

# Beside the id, what still has a meaning for a filesystem that exists.
KEPT = {"ebs": set[str](), "efs": {"encryption_in_transit", "security_group"}, "fsx-lustre": {"security_group"}}


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
            if isinstance(storage, Nfs) or (known := _existing(storage)) is None:
                continue
            other = first.setdefault(known, storage.name)
            if other != storage.name:
                yield Problem(
                    ("storage", index, "from" if isinstance(storage, Imported) else "id"),
                    f"{known} is already mounted as {quoted(other)}",
                    "remove one",
                )


class ExistingStorage(Rule):
    """With the id of an existing filesystem, settings for making one mean nothing; it is never deleted either."""

    name = "existing-storage"

    def check(self, subject: Subject) -> Iterator[Problem]:
        """Report every setting that was written although it means nothing."""
        for index, storage in enumerate(subject.spec.storage):
            if is_managed(storage) or isinstance(storage, Nfs | Imported):
                continue
            meant = {"name", "mount", "type", "id"} | KEPT[storage.type]
            for key in sorted(storage.model_fields_set - meant):
                message = (
                    f"{key} means nothing beside id: {storage.id} exists already, and is never changed or deleted"
                )
                yield Problem(("storage", index, key), message, f"remove {key}, or remove id to make a new one")


class AdmittedWithId(Rule):
    """A group that a filesystem admits is named for one that exists already; a new one brings its own."""

    name = "admitted-with-id"

    def check(self, subject: Subject) -> Iterator[Problem]:
        """Look for a group without an id."""
        for index, storage in enumerate(subject.spec.storage):
            if not isinstance(storage, Efs | FsxLustre) or storage.id is not None:
                continue
            if storage.security_group is not None:
                message = (
                    f"{quoted(storage.name)} is made with a group of its own; {storage.security_group} is another"
                )
                yield Problem(
                    ("storage", index, "security_group"), message, "remove it, or give the filesystem's id"
                )


class KmsNeedsEncryption(FilesystemRule):
    """A key without encryption means nothing."""

    name = "kms-needs-encryption"

    def check(self, subject: Subject | FileSubject[StorageFile]) -> Iterator[Problem]:
        """Look for a key beside ``encrypted: false``."""
        for path, each in made(subject.spec):
            if isinstance(each, EbsSettings | EfsSettings) and each.kms_key is not None and not each.encrypted:
                message = "there is a key and encrypted: false"
                yield Problem((*path, "encrypted"), message, "remove one of the two")


class EfsThroughput(FilesystemRule):
    """``provisioned_throughput`` and ``throughput_mode: provisioned`` need each other."""

    name = "efs-throughput"

    def check(self, subject: Subject | FileSubject[StorageFile]) -> Iterator[Problem]:
        """Look for one without the other."""
        for path, each in made(subject.spec):
            if not isinstance(each, EfsSettings):
                continue
            provisioned, amount = each.throughput_mode == "provisioned", each.provisioned_throughput
            if provisioned and amount is None:
                message = "throughput_mode is provisioned, without an amount"
                yield Problem((*path, "throughput_mode"), message, "write provisioned_throughput, in MiB/s")
            if amount is not None and not provisioned:
                message = f"{amount} MiB/s need throughput_mode: provisioned, it is {each.throughput_mode}"
                hint = "write throughput_mode: provisioned"
                yield Problem((*path, "provisioned_throughput"), message, hint)


class DeletedInProd(FilesystemRule):
    """In prod, data that dies with its stack or cluster does so by a line of its own: acknowledge_data_loss."""

    name = "deleted-in-prod"

    def check(self, subject: Subject | FileSubject[StorageFile]) -> Iterator[Problem]:
        """Look at what is made in prod."""
        if subject.spec.environment != "prod":
            return
        for path, each in made(subject.spec):
            if each.on_delete == "delete" and not each.acknowledge_data_loss:
                message = "a prod filesystem that is deleted with all its data, by on_delete: delete"
                hint = "write on_delete: retain, or beside it acknowledge_data_loss: true"
                yield Problem((*path, "on_delete"), message, hint)


def _existing(storage: Storage) -> str | None:
    """What identifies a filesystem that exists already."""
    if isinstance(storage, Imported):
        found = storage.found.filesystem if storage.found else None
        return f"{storage.from_}, filesystem {found.name}" if found else None
    return None if isinstance(storage, Nfs) else storage.id


def _counted_as(storage: Storage) -> str:
    if isinstance(storage, Imported):
        found = storage.found.filesystem if storage.found else None
        kind, new = (found.type if found else storage.type), False
    else:
        kind, new = storage.type, made_by_engine(storage)
    return kind if kind == "ebs" else f"{'new' if new else 'existing'} {kind}"
