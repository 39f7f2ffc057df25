"""The provider role's statements that depend on what a configuration uses."""

from __future__ import annotations

from collections.abc import Sequence

from config.derived import made_by_engine
from config.models.cluster import Cluster
from hpc_constructs.identity import rendering_fragment as fragment
from hpc_constructs.identity.rendering_documents import Statement, allow
from hpc_constructs.identity.rendering_grants import (
    READ_OBJECTS,
    READ_PARAMETER,
    READ_SECRET,
    hydrated,
    key_arn,
)
from hpc_constructs.identity.rendering_iam import service_linked_roles
from hpc_constructs.identity.rendering_scope import IN_REGION, OWNED, Scope, bucket_arn
from hpc_constructs.intrinsics import Value, arn

LOGIN_CREATE = {
    "LoginGroups": (
        "autoscaling:CreateAutoScalingGroup CreateOrUpdateTags PutLifecycleHook PutNotificationConfiguration"
    ),
    "LoginBalancers": (
        "elasticloadbalancing:AddTags CreateListener CreateLoadBalancer CreateTargetGroup ModifyListener "
        "ModifyLoadBalancerAttributes ModifyTargetGroup ModifyTargetGroupAttributes SetSecurityGroups SetSubnets"
    ),
}
LOGIN_OWN = {
    "OwnGroups": "autoscaling:DeleteAutoScalingGroup DeleteLifecycleHook DeleteTags UpdateAutoScalingGroup",
    "OwnBalancers": "elasticloadbalancing:DeleteListener DeleteLoadBalancer DeleteTargetGroup RemoveTags",
}
EFS_CREATE = (
    "elasticfilesystem:CreateMountTarget PutBackupPolicy PutLifecycleConfiguration TagResource UpdateFileSystem"
)
EFS_OWN = "elasticfilesystem:DeleteFileSystem DeleteMountTarget UntagResource"
FSX_CREATE = (
    "fsx:CreateDataRepositoryAssociation CreateFileSystem TagResource UpdateDataRepositoryAssociation "
    "UpdateFileSystem"
)
FSX_OWN = "fsx:DeleteDataRepositoryAssociation DeleteFileSystem UntagResource"
STORAGE_KEY_ACTIONS = (
    "kms:CreateGrant",
    "kms:Decrypt",
    "kms:DescribeKey",
    "kms:GenerateDataKey*",
    "kms:ReEncrypt*",
)


def feature_statements(spec: Cluster, scope: Scope) -> list[Statement]:
    """Creating is allowed for what is configured, ending for whatever this stack owns."""
    return [
        *_ends(),
        *_login(spec),
        *_efs(spec, scope),
        *_fsx(spec, scope),
        *configured_statements(spec),
    ]


def has_login(spec: Cluster) -> bool:
    """Whether the cluster has a login pool, raw fragment included."""
    return bool(spec.login) or fragment.has(spec.parallelcluster.raw, fragment.POOLS)


def creates_efs(spec: Cluster) -> bool:
    """Whether ParallelCluster creates an EFS filesystem, raw fragment included."""
    ours = any(storage.type == "efs" and made_by_engine(storage) for storage in spec.storage)
    return ours or fragment.creates(spec.parallelcluster.raw, "Efs")


def creates_lustre(spec: Cluster) -> bool:
    """Whether ParallelCluster creates an FSx for Lustre filesystem, raw fragment included."""
    ours = any(storage.type == "fsx-lustre" and made_by_engine(storage) for storage in spec.storage)
    return ours or fragment.creates(spec.parallelcluster.raw, "FsxLustre")


def storage_keys(spec: Cluster) -> list[str]:
    """The KMS keys of disks and filesystems that ParallelCluster creates, and of images that it starts."""
    ours = [storage.kms_key for storage in spec.storage if made_by_engine(storage) and storage.kms_key]
    raw = [
        key for kind in ("Ebs", "Efs", "FsxLustre") for key in fragment.kms_keys(spec.parallelcluster.raw, kind)
    ]
    return list(dict.fromkeys([*ours, *raw, *spec.access.kms_keys]))


def _ends() -> list[Statement]:
    ends = {**LOGIN_OWN, "OwnEfs": EFS_OWN, "OwnFsx": FSX_OWN}
    return [allow(sid, actions, "*", OWNED) for sid, actions in ends.items()]


def _login(spec: Cluster) -> list[Statement]:
    if not has_login(spec):
        return []
    creating = [allow(sid, actions, "*", IN_REGION) for sid, actions in LOGIN_CREATE.items()]
    linked = service_linked_roles("autoscaling", "elasticloadbalancing")
    return [*creating, {**linked, "Sid": "LoginServiceRoles"}]


def _efs(spec: Cluster, scope: Scope) -> list[Statement]:
    if not creates_efs(spec):
        return []
    return [
        allow("EfsCreate", "elasticfilesystem:CreateFileSystem", "*", IN_REGION),
        allow("Efs", EFS_CREATE, arn("elasticfilesystem", "file-system/*"), scope.not_foreign),
        {**service_linked_roles("elasticfilesystem"), "Sid": "EfsServiceRole"},
    ]


def _fsx(spec: Cluster, scope: Scope) -> list[Statement]:
    if not creates_lustre(spec):
        return []
    statements = [
        allow("Fsx", FSX_CREATE, [arn("fsx", "file-system/*"), arn("fsx", "association/*")], scope.not_foreign),
        {**service_linked_roles("fsx", "s3.data-source.lustre.fsx"), "Sid": "FsxServiceRoles"},
    ]
    if hydrated(spec):
        linked = arn("iam", "role/aws-service-role/s3.data-source.lustre.fsx.amazonaws.com/*", region=False)
        statements.append(allow("FsxBucketRole", "iam:AttachRolePolicy PutRolePolicy", linked))
    return statements


def configured_statements(spec: Cluster) -> list[Statement]:
    """What the configuration names: looked up while it is checked, or handed on to what is created.

    Of the secrets only Munge's key is read: ParallelCluster checks its content.
    """
    raw = spec.parallelcluster.raw
    settings = "Scheduling.SlurmSettings"
    munge = fragment.texts(raw, f"{settings}.MungeKeySecretArn")
    passwords = [
        *([spec.directory.password_secret] if spec.directory else []),
        *fragment.texts(raw, "DirectoryService.PasswordSecretArn"),
        *fragment.texts(raw, f"{settings}.Database.PasswordSecretArn"),
        *munge,
    ]
    secrets = [name for name in dict.fromkeys(passwords) if ":ssm:" not in name]
    parameters: list[Value] = [name for name in dict.fromkeys(passwords) if ":ssm:" in name]
    scripts = [
        bucket_arn(f"{bucket}/{key}")
        for node in (fragment.HEAD, fragment.POOLS, fragment.QUEUES)
        for bucket, key in fragment.scripts(raw, node)
    ]
    places = dict.fromkeys(name for name, _, _ in hydrated(spec))
    lustre = [bucket_arn(f"{name}{rest}") for name in places for rest in ("", "/*")]
    wanted: list[tuple[str, Sequence[str] | str, list[Value]]] = [
        ("Keys", STORAGE_KEY_ACTIONS, [key_arn(key) for key in storage_keys(spec)]),
        ("FsxBuckets", ["s3:Get*", "s3:List*", "s3:PutObject"], lustre),
        ("Secrets", "secretsmanager:DescribeSecret", list(secrets)),
        ("MungeKey", READ_SECRET, list(munge)),
        ("Parameters", READ_PARAMETER, parameters),
        ("RawScripts", READ_OBJECTS, scripts),
    ]
    return [allow(sid, actions, resources) for sid, actions, resources in wanted if resources]
