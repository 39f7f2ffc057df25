"""What the role of backups may do: by its own policy, and under the account's ceiling."""

from __future__ import annotations

from typing import Any

import pytest

from tests import accounts
from tests.factories import storage_file
from tests.iam.evaluation import Principal
from tests.iam.lint import problems
from tests.iam.provider_setting import EVERYTHING
from tests.iam.resolver import ACCOUNT, PARTITIONS
from tests.storage_stacks import template

FILESYSTEMS: list[dict[str, Any]] = [
    {"name": "home", "type": "efs", "backup": {}},
    {"name": "disk", "type": "ebs", "zone": "us-east-1a", "backup": {}},
    {
        "name": "fast",
        "type": "fsx-lustre",
        "subnet": "private-a",
        "deployment_type": "PERSISTENT_2",
        "throughput_per_tib": 125,
        "backup": {},
    },
]
TAGGED = {"resource_tags": {"ClusterStorage": "shared-home"}}


@pytest.fixture(scope="module")
def policies() -> dict[str, Any]:
    resources = template(storage_file(*FILESYSTEMS))["Resources"]
    return {key: resources[key]["Properties"]["PolicyDocument"] for key in ("BackupPolicy", "BackupCeiling")}


def test_the_stacks_own_ceiling_is_what_the_role_needs(policies: dict[str, Any]) -> None:
    assert policies["BackupPolicy"] == policies["BackupCeiling"]
    sids = [each["Sid"] for each in policies["BackupPolicy"]["Statement"]]
    assert len(set(sids)) == len(sids)


def test_it_makes_backups_and_deletes_nothing_but_backups(policies: dict[str, Any]) -> None:
    actions = {action for each in policies["BackupPolicy"]["Statement"] for action in each["Action"]}
    assert {action for action in actions if "Delete" in action} == {"ec2:DeleteSnapshot", "fsx:DeleteBackup"}
    assert not any(action.startswith("iam:") or action.endswith("*") for action in actions)


@pytest.mark.parametrize("partition", list(PARTITIONS))
def test_the_accounts_ceiling_lets_it_back_up_what_is_of_a_storage_stack_alone(partition: str) -> None:
    region = PARTITIONS[partition]
    document = accounts.resolved(partition).document("Ceiling")
    assert problems(document) == []
    limited = Principal([EVERYTHING], document, region)

    def arn(service: str, resource: str) -> str:
        return f"arn:{partition}:{service}:{region}:{ACCOUNT}:{resource}"

    filesystem, vault = arn("elasticfilesystem", "file-system/fs-0"), arn("backup", "backup-vault:x")
    assert limited.may("elasticfilesystem:Backup", filesystem, **TAGGED)
    assert not limited.may("elasticfilesystem:Backup", filesystem)
    assert limited.may("backup:CopyIntoBackupVault", vault, **TAGGED)
    assert not limited.may("backup:CopyIntoBackupVault", vault)
    assert not limited.may("backup:DeleteBackupVault", vault, **TAGGED)
    assert not limited.may("elasticfilesystem:DeleteFileSystem", filesystem, **TAGGED)
