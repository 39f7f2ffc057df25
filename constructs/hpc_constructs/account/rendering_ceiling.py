"""The account's ceiling: the same statements as a cluster's own, for every cluster of the account and Region.

A cluster's name becomes a wildcard, and what refers to one stack a pattern of all our stacks. One cluster's
managing roles are kept from another's things by their own policies; what the ceiling keeps all of them from is
everything that is no cluster's, and any role without a cluster's boundary.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from config.models.account import CeilingReach
from hpc_constructs.identity.rendering_ceiling import Uses, statements
from hpc_constructs.identity.rendering_documents import Statement, allow
from hpc_constructs.identity.rendering_grants import READ_SECRET, key_arn
from hpc_constructs.identity.rendering_provider_features import STORAGE_KEY_ACTIONS
from hpc_constructs.identity.rendering_scope import OWNER_TAG, Scope, bucket_arn
from hpc_constructs.intrinsics import Value, arn, sub
from hpc_constructs.storage.rendering_backup import backup_ceiling_statements

_EVERY = "*"


@dataclass(frozen=True, kw_only=True)
class EveryCluster(Scope):
    """The scope of all clusters: its name is a wildcard in every ARN, and it has no logical ids."""

    name: str = _EVERY
    staging_bucket: str = ""
    engine_bucket: str = ""
    key_pair: str = ""

    @property
    def stack_names(self) -> list[str]:
        """Any stack: with a cluster's name for a wildcard, its nested ones are no pattern of their own."""
        return ["*"]

    @property
    def bounded(self) -> dict[str, Value]:
        """Condition: the role has, or gets, the boundary of some cluster."""
        boundary = arn("iam", "policy/clusterform/*/clusterform-*-boundary-${AWS::Region}", region=False)
        return {"ArnLike": {"iam:PermissionsBoundary": boundary}}

    @property
    def owned(self) -> dict[str, Value]:
        """Condition: the thing belongs to a cluster's stack."""
        return {"StringLike": {f"aws:ResourceTag/{OWNER_TAG}": arn("cloudformation", "stack/clusterform-pc-*")}}

    @property
    def own_files(self) -> list[Value]:
        """Every bucket that CloudFormation named after a cluster's stack."""
        return [bucket_arn("clusterform-pc-*")]


def account_ceiling_statements(region: str, reach: CeilingReach) -> list[Statement]:
    """The ceiling's statements; ``reach`` is what the account's file lists beyond the clusters' own things."""
    topics = [sub("arn:${AWS::Partition}:sns:*:*:clusterform-pc-*-Topic-*"), *reach.topics]
    configured = [*reach_statements(reach), *backup_ceiling_statements()]
    return statements(Uses(topics=topics, configured=configured), EveryCluster(region=region))


def reach_statements(reach: CeilingReach) -> list[Statement]:
    """What the account's file lists, topics excepted."""
    buckets = [bucket_arn(f"{name}{rest}") for name in reach.buckets for rest in ("", "/*")]
    wanted: list[tuple[str, Sequence[str] | str, list[Value]]] = [
        ("Keys", STORAGE_KEY_ACTIONS, [key_arn(key) for key in reach.kms_keys]),
        ("FsxBuckets", ["s3:Get*", "s3:List*", "s3:PutObject"], buckets),
        ("Secrets", [READ_SECRET, "secretsmanager:DescribeSecret"], list(reach.secrets)),
    ]
    return [allow(sid, actions, resources) for sid, actions, resources in wanted if resources]
