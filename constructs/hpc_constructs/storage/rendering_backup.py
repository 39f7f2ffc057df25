"""Backups of a storage stack by AWS Backup: vault, plans, and the role that makes them. Plain data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from config.models.storage_file import Filesystem, StorageFile, StoredEfs
from hpc_constructs.identity.rendering_documents import (
    ACCOUNT_CEILING,
    Statement,
    allow,
    document,
    iam_path,
    policy_name,
    trust,
)
from hpc_constructs.intrinsics import Value, arn, get_att, ref
from hpc_constructs.ledger.rendering import Entry
from hpc_constructs.rendering_accepted import Accepted
from hpc_constructs.storage.rendering import Resource
from hpc_constructs.storage.rendering_names import VAULT_ID, filesystem_id, stack_name
from hpc_constructs.storage.rendering_tags import STORAGE_TAG

ROLE_ID, CEILING_ID, POLICY_ID = "BackupRole", "BackupCeiling", "BackupPolicy"
SERVICES = {
    "ebs": ("ec2", "volume"),
    "efs": ("elasticfilesystem", "file-system"),
    "fsx-lustre": ("fsx", "file-system"),
}

ACCEPTED = (
    Accepted(
        "AwsSolutions-IAM5",
        (POLICY_ID, CEILING_ID),
        "copies, whose ids are not known before they are made",
        ("ec2 snapshot/", "fsx backup/"),
    ),
)


def backed_up(spec: StorageFile) -> list[Filesystem]:
    """The filesystems that have backups."""
    return [each for each in spec.filesystems if each.backup is not None]


def backup_resources(name: str, spec: StorageFile, tags: Sequence[Value]) -> list[Resource]:
    """Everything that backups take, or nothing where nobody wants any."""
    if not (wanted := backed_up(spec)):
        return []
    stack = stack_name(name)
    vault = {"BackupVaultName": vault_name(name), "BackupVaultTags": _mapping(tags)}
    found = [Resource(VAULT_ID, "AWS::Backup::BackupVault", vault, "Retain"), *_role(name, spec, tags)]
    for each in wanted:
        logical_id = f"{filesystem_id(each.name)}Backup"
        found.append(Resource(logical_id, "AWS::Backup::BackupPlan", _plan(stack, each, tags), "Delete"))
        selection = {
            "SelectionName": each.name,
            "IamRoleArn": get_att(ROLE_ID, "Arn"),
            "Resources": [_arn_of(each)],
        }
        properties = {"BackupPlanId": ref(logical_id), "BackupSelection": selection}
        found.append(Resource(f"{logical_id}Selection", "AWS::Backup::BackupSelection", properties, "Delete"))
    return found


def backups_kept(spec: StorageFile) -> list[Entry]:
    """The vault, which cannot be deleted while it holds a backup, and should not be."""
    if not backed_up(spec):
        return []
    where = f"--region {spec.region}"
    return [
        Entry(
            what=f"backup vault ${{{VAULT_ID}}}",
            reason="holds the backups, which outlive what they are of until they expire",
            cost="stored backups, by GB and month, until they expire",
            removal=(
                f"aws backup list-recovery-points-by-backup-vault {where} --backup-vault-name ${{{VAULT_ID}}}",
                f"aws backup delete-recovery-point {where} --backup-vault-name ${{{VAULT_ID}}} "
                "--recovery-point-arn ARN",
                f"aws backup delete-backup-vault {where} --backup-vault-name ${{{VAULT_ID}}}",
            ),
        )
    ]


def vault_name(name: str) -> Value:
    """Another one for each deployment of the stack, since the former one's vault stays. At most 50 characters."""
    serial = {"Fn::Select": [2, {"Fn::Split": ["/", ref("AWS::StackId")]}]}
    return {"Fn::Join": ["-", ["clusterform", name, {"Fn::Select": [0, {"Fn::Split": ["-", serial]}]}]]}


def backup_statements(
    sources: Mapping[str, Sequence[Value]], vaults: Value, keys: Sequence[str]
) -> list[Statement]:
    """What the role does: AWS's own policy for backups, cut down to ``sources``, the filesystems of each kind."""
    snapshots, copies = arn("ec2", "snapshot/*", account=False), arn("fsx", "backup/*")
    found = [
        allow("Vault", "backup:CopyIntoBackupVault DescribeBackupVault", vaults),
        allow("Find", "tag:GetResources", "*"),
    ]
    if volumes := sources.get("ebs"):
        found += [
            allow("Volumes", "ec2:CreateSnapshot", [*volumes, snapshots]),
            allow("Snapshots", "ec2:CreateTags DeleteSnapshot", snapshots),
            allow("ReadVolumes", "ec2:DescribeSnapshots DescribeTags DescribeVolumes", "*"),
        ]
    if efs := sources.get("efs"):
        found.append(allow("Efs", "elasticfilesystem:Backup DescribeTags", efs))
    if lustre := sources.get("fsx-lustre"):
        found += [
            allow("Fsx", "fsx:CreateBackup ListTagsForResource", [*lustre, copies]),
            allow("FsxBackups", "fsx:DeleteBackup TagResource", copies),
            allow("ReadFsx", "fsx:DescribeBackups DescribeFileSystems", "*"),
        ]
    if keys:
        condition = {"Bool": {"kms:GrantIsForAWSResource": "true"}}
        found += [
            allow("Keys", "kms:DescribeKey", list(keys)),
            allow("KeyGrants", "kms:CreateGrant", list(keys), condition),
        ]
    return found


def backup_ceiling_statements() -> list[Statement]:
    """What the account's ceiling lets these roles do beyond what it lets all others: read, create and tag."""
    ours = {"Null": {f"aws:ResourceTag/{STORAGE_TAG}": "false"}}
    vault = ["backup:CopyIntoBackupVault", "backup:DescribeBackupVault"]
    return [
        allow("Backups", [*vault, "ec2:DeleteSnapshot", "elasticfilesystem:Backup", "fsx:DeleteBackup"], "*", ours)
    ]


def _role(name: str, spec: StorageFile, tags: Sequence[Value]) -> list[Resource]:
    wanted = backed_up(spec)
    keys = sorted({each.kms_key for each in wanted if each.kms_key})
    sources = {kind: [_arn_of(each) for each in wanted if each.type == kind] for kind in SERVICES}
    policy = document(backup_statements(sources, get_att(VAULT_ID, "BackupVaultArn"), keys))
    owner = stack_name(name)
    own = spec.identity.ceiling == "stack"
    ceiling = (
        ref(CEILING_ID)
        if own
        else ACCOUNT_CEILING
        if spec.identity.ceiling == "account"
        else spec.identity.ceiling
    )

    def managed(logical_id: str, purpose: str) -> Resource:
        properties = {
            "ManagedPolicyName": policy_name(f"storage-{name}", purpose),
            "Path": iam_path(owner),
            "PolicyDocument": policy,
        }
        return Resource(logical_id, "AWS::IAM::ManagedPolicy", properties, "Delete")

    role = {
        "Path": iam_path(owner),
        "AssumeRolePolicyDocument": trust("backup"),
        "PermissionsBoundary": ceiling,
        "ManagedPolicyArns": [ref(POLICY_ID)],
        "Tags": tags,
    }
    return [
        # Not just ceiling: IAM knows no two policies of one name, and a cluster may be called storage-NAME.
        *([managed(CEILING_ID, "backup-ceiling")] if own else []),
        managed(POLICY_ID, "backup"),
        Resource(ROLE_ID, "AWS::IAM::Role", role, "Delete"),
    ]


def _plan(stack: str, each: Filesystem, tags: Sequence[Value]) -> dict[str, Value]:
    assert each.backup is not None
    rule = {
        "RuleName": each.name,
        "TargetBackupVault": ref(VAULT_ID),
        "ScheduleExpression": each.backup.schedule,
        "Lifecycle": {"DeleteAfterDays": each.backup.keep_days},
        "RecoveryPointTags": _mapping(tags),
    }
    return {
        "BackupPlan": {"BackupPlanName": f"{stack}-{each.name}"[:50], "BackupPlanRule": [rule]},
        "BackupPlanTags": _mapping(tags),
    }


def _arn_of(each: Filesystem) -> Value:
    if isinstance(each, StoredEfs):
        return get_att(filesystem_id(each.name), "Arn")
    service, kind = SERVICES[each.type]
    return arn(service, f"{kind}/${{{filesystem_id(each.name)}}}")


def _mapping(tags: Sequence[Value]) -> dict[str, Value]:
    return {tag["Key"]: tag["Value"] for tag in tags}
