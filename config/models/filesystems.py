"""What a filesystem is made with, whoever makes it: a cluster, its stack, or the stack of a storage file."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from config.models.base import BucketName, KmsKeyArn, Model, ObjectPrefix, Pattern
from config.models.compute import VolumeType

WeeklyTime = Annotated[
    str,
    Pattern(r"[1-7]:([01]\d|2[0-3]):[0-5]\d", 'must be day:hour:minute in quotes, e.g. "4:20:00" with 1 = Monday'),
]
ON_DELETE = "What happens to it when its stack or cluster is deleted, or it leaves the file"
ACKNOWLEDGE = "true lets a prod filesystem be deleted with all its data (on_delete: delete)"


class EbsSettings(Model):
    """A volume that one head node at a time attaches and exports to all nodes."""

    type: Literal["ebs"] = Field(description="A volume of the head node")
    size_gib: int = Field(default=250, description="GiB")
    volume_type: VolumeType = Field(default="gp3", description="EBS volume type")
    iops: int | None = Field(default=None, description="Only for gp3, io1 and io2. Left out with gp3: 3000")
    throughput: int | None = Field(default=None, description="MB/s, only for gp3")
    encrypted: bool = Field(default=True, description="false is reported as a finding")
    kms_key: KmsKeyArn | None = Field(default=None, description="Your own key. Left out: AWS's")
    on_delete: Literal["retain", "delete", "snapshot"] = Field(default="retain", description=ON_DELETE)
    acknowledge_data_loss: bool = Field(default=False, description=ACKNOWLEDGE)


class EfsSettings(Model):
    """Amazon EFS."""

    type: Literal["efs"] = Field(description="Amazon EFS")
    performance_mode: Literal["generalPurpose", "maxIO"] = Field(
        default="generalPurpose", description="maxIO is for thousands of clients"
    )
    throughput_mode: Literal["bursting", "provisioned"] = Field(
        default="bursting", description="provisioned needs provisioned_throughput"
    )
    provisioned_throughput: int | None = Field(default=None, ge=1, le=1024, description="MiB/s, with provisioned")
    encrypted: bool = Field(default=True, description="false is reported as a finding")
    kms_key: KmsKeyArn | None = Field(default=None, description="Your own key. Left out: AWS's")
    on_delete: Literal["retain", "delete"] = Field(default="retain", description=ON_DELETE)
    acknowledge_data_loss: bool = Field(default=False, description=ACKNOWLEDGE)


class Hydration(Model):
    """What FSx for Lustre loads from S3 and writes back."""

    import_bucket: BucketName = Field(description="The bucket that files are loaded from")
    import_path: ObjectPrefix = Field(default="import", description="Only objects below it")
    export_bucket: BucketName | None = Field(
        default=None,
        description="Must equal import_bucket. Left out: import_bucket, and export_path becomes import_path",
    )
    export_path: ObjectPrefix = Field(default="export", description="Where changed files are written back to")
    chunk_size_mib: int = Field(default=1024, ge=1024, le=512000, description="MiB a stored chunk")
    auto_import: Literal["NONE", "NEW", "NEW_CHANGED", "NEW_CHANGED_DELETED"] = Field(
        default="NEW_CHANGED", description="Which later changes in the bucket are followed"
    )


class LustreSettings(Model):
    """Amazon FSx for Lustre."""

    type: Literal["fsx-lustre"] = Field(description="Amazon FSx for Lustre")
    size_gib: int = Field(default=1200, description="GiB: 1200, or a multiple of 2400 (SCRATCH_1: of 3600)")
    deployment_type: Literal["SCRATCH_1", "SCRATCH_2", "PERSISTENT_1", "PERSISTENT_2"] = Field(
        default="SCRATCH_2",
        description="SCRATCH for temporary data, PERSISTENT for data that must survive a failed server",
    )
    throughput_per_tib: int | None = Field(default=None, description="MB/s per TiB, for PERSISTENT types")
    kms_key: KmsKeyArn | None = Field(
        default=None, description="Your own key, for PERSISTENT types. Left out: AWS's"
    )
    weekly_maintenance: WeeklyTime = Field(default="4:20:00", description="day:hour:minute in UTC, 1 = Monday")
    hydration: Hydration | None = Field(default=None, description="Load from S3 and write back. Left out: neither")
    on_delete: Literal["retain", "delete"] = Field(default="retain", description=ON_DELETE)
    acknowledge_data_loss: bool = Field(default=False, description=ACKNOWLEDGE)
