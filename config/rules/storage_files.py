"""Storage files."""

from __future__ import annotations

from collections.abc import Iterator

from config.findings import KeyPath, Severity
from config.models.filesystems import LustreSettings
from config.models.storage_file import StorageFile, StoredEbs, StoredLustre
from config.rules import lustre, network, security, storage, volumes
from config.rules.arns import partition_of
from config.rules.base import FileRule, FileSubject, Problem
from config.rules.parts import did_you_mean
from config.wording import quoted


class UniqueFilesystems(FileRule[StorageFile]):
    """A filesystem's name, by which clusters find it, is its alone, and at most 30 characters long."""

    name = "unique-filesystems"
    limit = 30

    def check(self, subject: FileSubject[StorageFile]) -> Iterator[Problem]:
        """Report the second of two, and what is too long."""
        names = [each.name for each in subject.spec.filesystems]
        for index, name in enumerate(names):
            path = ("filesystems", index, "name")
            if name in names[:index]:
                yield Problem(path, f"{quoted(name)} is the name of another filesystem", "rename one")
            if len(name) > self.limit:
                message = f"{quoted(name)} has {len(name)} characters, at most {self.limit} are allowed"
                yield Problem(path, message, "shorten it")


class FilesystemPlace(FileRule[StorageFile]):
    """A volume's zone is of the file's Region, a Lustre filesystem's subnet one of the file's."""

    name = "filesystem-place"

    def check(self, subject: FileSubject[StorageFile]) -> Iterator[Problem]:
        """Look each up."""
        region, known = subject.spec.region, list(subject.spec.network.subnets)
        for index, each in enumerate(subject.spec.filesystems):
            if isinstance(each, StoredEbs) and each.zone[:-1] != region:
                message = f"zone {each.zone} is not in Region {region}"
                yield Problem(("filesystems", index, "zone"), message, f"write a zone such as {region}a")
            if isinstance(each, StoredLustre) and each.subnet not in known:
                message = f"{quoted(each.subnet)} is not a key of network.subnets"
                yield Problem(("filesystems", index, "subnet"), message, did_you_mean(each.subnet, known))


class BackupPossible(FileRule[StorageFile]):
    """AWS Backup takes neither SCRATCH filesystems nor those that load from S3 (FSx)."""

    name = "backup-possible"

    def check(self, subject: FileSubject[StorageFile]) -> Iterator[Problem]:
        """Look at Lustre filesystems with a backup."""
        for index, each in enumerate(subject.spec.filesystems):
            if not isinstance(each, LustreSettings) or each.backup is None:
                continue
            path = ("filesystems", index, "backup")
            if each.deployment_type.startswith("SCRATCH"):
                message = f"{each.deployment_type} filesystems cannot be backed up"
                yield Problem(path, message, "take a PERSISTENT deployment_type, or remove backup")
            elif each.hydration is not None:
                message = "a filesystem that loads from S3 cannot be backed up"
                yield Problem(path, message, "remove backup: its data is in the bucket once written back")


class NoBackupInProd(FileRule[StorageFile]):
    """In prod, what is kept but not backed up is lost by one mistaken command."""

    name = "no-backup-in-prod"
    severity = Severity.WARNING

    def check(self, subject: FileSubject[StorageFile]) -> Iterator[Problem]:
        """Look for data that is neither temporary nor loaded from elsewhere."""
        for index, each in enumerate(subject.spec.filesystems):
            scratch = isinstance(each, LustreSettings) and (
                each.deployment_type.startswith("SCRATCH") or each.hydration is not None
            )
            if subject.spec.environment == "prod" and each.backup is None and not scratch:
                message = f"{quoted(each.name)} of prod has no backups"
                yield Problem(("filesystems", index, "backup"), message, "write backup: {}")


class BackupCeilingInProd(FileRule[StorageFile]):
    """In prod, whoever can deploy storage cannot also raise what the role of its backups may do."""

    name = "backup-ceiling-in-prod"

    def check(self, subject: FileSubject[StorageFile]) -> Iterator[Problem]:
        """Look for a ceiling of the stack's own where there is a role."""
        spec = subject.spec
        backed_up = any(each.backup for each in spec.filesystems)
        if spec.environment == "prod" and backed_up and spec.identity.ceiling == "stack":
            message = "the stack itself declares the ceiling over the role that makes its backups"
            hint = "write identity: {ceiling: account}, or the ARN of your organisation's own boundary"
            yield Problem(("identity", "ceiling"), message, hint)


class StorageArnPlace(FileRule[StorageFile]):
    """Keys and ceiling are of the file's own partition, keys of its Region too."""

    name = "storage-arn-place"

    def check(self, subject: FileSubject[StorageFile]) -> Iterator[Problem]:
        """Compare each ARN's second and fourth part."""
        region = subject.spec.region
        partition = partition_of(region)
        for path, arn in _arns(subject.spec):
            _, of_partition, _, of_region, *_ = arn.split(":")
            if of_partition != partition or of_region not in ("", region):
                message = f"{arn} is of {of_partition} {of_region}".rstrip()
                yield Problem(path, f"{message}, not of {partition} {region}", "use one of the same Region")


STORAGE_RULES: tuple[FileRule[StorageFile], ...] = (
    UniqueFilesystems(),
    FilesystemPlace(),
    BackupPossible(),
    NoBackupInProd(),
    BackupCeilingInProd(),
    StorageArnPlace(),
    network.ZoneInRegion(),
    network.UniqueSubnetIds(),
    volumes.VolumeSize(),
    volumes.VolumeIops(),
    volumes.VolumeIopsRatio(),
    volumes.VolumeThroughput(),
    volumes.VolumeThroughputRatio(),
    storage.KmsNeedsEncryption(),
    storage.EfsThroughput(),
    storage.DeletedInProd(),
    lustre.LustreSize(),
    lustre.LustreThroughput(),
    lustre.LustreKms(),
    lustre.HydrationDeployment(),
    lustre.HydrationBuckets(),
    lustre.HydrationOverwrites(),
    security.EncryptionOff(),
    security.UnprotectedProd(),
)
"""The file's own rules, then those that it shares with clusters."""


def _arns(spec: StorageFile) -> Iterator[tuple[KeyPath, str]]:
    if spec.identity.ceiling.startswith("arn:"):
        yield ("identity", "ceiling"), spec.identity.ceiling
    for index, each in enumerate(spec.filesystems):
        if each.kms_key is not None:
            yield ("filesystems", index, "kms_key"), each.kms_key
