"""The account's file: what all clusters of one account and Region share, deployed by an administrator."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from config.models.access import Owner, RoleName, TopicArn
from config.models.base import AccountId, BucketName, Email, KmsKeyArn, Model, PolicyArn, Region, SecretArn


class AccountNotifications(Model):
    """Who is told when an update of a cluster, or of anything else of Clusterform's, has failed."""

    emails: list[Email] = Field(default_factory=list, description="Left out: owner.email")


class CeilingReach(Model):
    """What roles that manage clusters may be given beyond the clusters' own things; nothing else of the account's.

    A cluster whose file names one of these, with ``identity.ceiling: account``, needs it listed here.
    """

    secrets: list[SecretArn] = Field(
        default_factory=list, description="Secrets of directories, Munge keys and webhooks"
    )
    kms_keys: list[KmsKeyArn] = Field(default_factory=list, description="Keys of filesystems and disks")
    buckets: list[BucketName] = Field(
        default_factory=list, description="Buckets that Lustre filesystems load from and write back to"
    )
    topics: list[TopicArn] = Field(default_factory=list, description="Your organisation's own SNS topics")


class ExecutionReach(Model):
    """What CloudFormation may do beyond clusters' own things, where the CDK is bootstrapped with our policies.

    It creates roles under the account's ceiling alone, and attaches policies to roles of its own alone.
    """

    boundaries: list[PolicyArn] = Field(
        default_factory=list,
        description="Your organisation's own boundaries, which clusters name as identity.ceiling",
    )
    key_readers: list[RoleName] = Field(
        default_factory=list,
        description="Roles that clusters name as ssh.key_reader. Whoever changes this project's code decides what "
        "such a role is given",
    )


class Account(Model):
    """What ``config/account.yaml`` declares; it stands alone, without layers beneath it."""

    account: AccountId = Field(description="The account; a deploy with other credentials is refused")
    region: Region = Field(description="The AWS Region; several Regions take one project each")
    owner: Owner
    notifications: AccountNotifications = AccountNotifications()
    results_bucket: BucketName | None = Field(
        default=None, description="The results bucket's name. Left out: clusterform-results-ACCOUNT-REGION"
    )
    spot_role: Literal["existing", "create"] = Field(
        default="existing",
        description="create makes the role that Spot needs, once an account; it is never deleted, and creating it "
        "fails where it exists",
    )
    ceiling: CeilingReach = CeilingReach()
    execution: ExecutionReach = ExecutionReach()
