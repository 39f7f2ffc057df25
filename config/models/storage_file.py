"""A storage file: filesystems that outlive clusters and may be shared by several."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from config.models.access import Network, Owner
from config.models.base import AccountId, Model, Pattern, PolicyArn, Region, ResourceName, Zone
from config.models.filesystems import EbsSettings, EfsSettings, LustreSettings

SubnetKey = Annotated[str, Field(description="A key of network.subnets")]
Schedule = Annotated[
    str, Pattern(r"(cron|rate)\([A-Za-z0-9 ,*?/#-]+\)", "must be a schedule such as cron(0 5 ? * * *), in UTC")
]
IdleDays = Literal[1, 7, 14, 30, 60, 90, 180, 270, 365]


class Backup(Model):
    """Backups by AWS Backup, into a vault of the stack's that outlives it."""

    schedule: Schedule = Field(default="cron(0 5 ? * * *)", description="When a backup starts, in UTC")
    keep_days: int = Field(default=35, ge=1, le=36500, description="Days until a backup is deleted")


class _Stored(Model):
    name: ResourceName = Field(description="At most 30 characters; its data is found by it, so never change it")


class StoredEbs(EbsSettings, _Stored):
    """A volume that one cluster at a time may mount, in its own zone."""

    zone: Zone = Field(description="Where it is, which must be the head node's zone")
    backup: Backup | None = Field(default=None, description="Left out: no backups")


class StoredEfs(EfsSettings, _Stored):
    """Amazon EFS, with a mount target in each zone of the file's subnets."""

    infrequent_access_after_days: IdleDays | None = Field(
        default=None, description="Days after which unread files move to cheaper storage. Left out: never"
    )
    backup: Backup | None = Field(default=None, description="Left out: no backups")


class StoredLustre(LustreSettings, _Stored):
    """Amazon FSx for Lustre, in one subnet."""

    subnet: SubnetKey
    backup: Backup | None = Field(default=None, description="Left out: no backups. Only for PERSISTENT types")


Filesystem = Annotated[StoredEbs | StoredEfs | StoredLustre, Field(discriminator="type")]


class StorageIdentity(Model):
    """The ceiling over the role that makes backups."""

    ceiling: Literal["stack", "account"] | PolicyArn = Field(
        default="stack",
        description="stack: declared by this stack. account: the account stack's, which prod needs. Or the ARN of "
        "your organisation's own boundary",
    )


class StorageFile(Model):
    """What ``config/storage/NAME.yaml`` declares; it stands alone, without layers beneath it."""

    account: AccountId | None = Field(
        default=None, description="When given, a deploy with other credentials is refused"
    )
    region: Region = Field(description="The AWS Region, which its clusters must share")
    owner: Owner
    environment: Literal["dev", "test", "stage", "prod"] = Field(
        default="dev", description="What the data is for; prod has rules of its own"
    )
    termination_protection: bool | None = Field(
        default=None,
        description="Refuse to delete the stack until this is taken off. Left out: on in prod, off elsewhere",
    )
    network: Network
    identity: StorageIdentity = StorageIdentity()
    filesystems: list[Filesystem] = Field(min_length=1, max_length=20, description="What the stack holds")

    def filesystem(self, name: str | None) -> Filesystem | None:
        """The filesystem of that name, or without a name the only one; None where that is nobody."""
        if name is None:
            return self.filesystems[0] if len(self.filesystems) == 1 else None
        return next((each for each in self.filesystems if each.name == name), None)
