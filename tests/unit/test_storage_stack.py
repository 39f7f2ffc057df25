"""The stack of a storage file, and the same filesystems in a cluster's own stack."""

from __future__ import annotations

from typing import Any

import pytest

from hpc_constructs.storage.rendering_names import filesystem_id
from tests.assembly import synthesize
from tests.factories import cluster, storage_file
from tests.storage_stacks import manifest, template

EFS = {"name": "home", "type": "efs"}
LUSTRE = {
    "name": "fast-data",
    "type": "fsx-lustre",
    "subnet": "private-a",
    "deployment_type": "PERSISTENT_2",
    "throughput_per_tib": 125,
}
DISK = {"name": "disk", "type": "ebs", "zone": "us-east-1a"}
KEPT = ("RetainExceptOnCreate", "Retain")
"""Kept on deletion and replacement; gone where its creation is rolled back, when it holds nothing yet."""
STATEFUL = {"AWS::EFS::FileSystem", "AWS::FSx::FileSystem", "AWS::EC2::Volume", "AWS::Backup::BackupVault"}


def stateful(found: dict[str, Any]) -> dict[str, str]:
    return {key: each["Type"] for key, each in found["Resources"].items() if each["Type"] in STATEFUL}


def policies(found: dict[str, Any], *logical_ids: str) -> set[tuple[str, str]]:
    resources = [found["Resources"][logical_id] for logical_id in logical_ids]
    return {(each.get("DeletionPolicy", ""), each.get("UpdateReplacePolicy", "")) for each in resources}


def test_logical_ids_of_everything_stateful_never_change() -> None:
    """Under another id CloudFormation would make a new, empty filesystem, and leave the one with the data."""
    made = template(storage_file({**EFS, "backup": {}}, LUSTRE, DISK))
    assert stateful(made) == {
        "FilesystemHome": "AWS::EFS::FileSystem",
        "FilesystemFastZdata": "AWS::FSx::FileSystem",
        "FilesystemDisk": "AWS::EC2::Volume",
        "BackupVault": "AWS::Backup::BackupVault",
    }
    own = {"managed_by": "stack"}
    spec = cluster(
        storage=[
            {"name": "home", "mount": "/home", "type": "efs", **own},
            {"name": "fast-data", "mount": "/fast", "type": "fsx-lustre", **own},
            {"name": "disk", "mount": "/disk", "type": "ebs", **own},
        ]
    )
    assert stateful(synthesize({"demo": spec}).template("demo")) == {
        "FilesystemHome": "AWS::EFS::FileSystem",
        "FilesystemFastZdata": "AWS::FSx::FileSystem",
        "FilesystemDisk": "AWS::EC2::Volume",
    }


def test_no_two_names_share_a_logical_id() -> None:
    names = ["ab", "a-b", "a1", "a-1", "zb", "z-b", "a-z-1", "az1", "a-z1"]
    assert len({filesystem_id(name) for name in names}) == len(names)
    assert all(filesystem_id(name).isalnum() for name in names)


def test_one_mount_target_in_each_zone_by_the_first_subnet() -> None:
    found = template(storage_file())
    targets = {key: each for key, each in found["Resources"].items() if each["Type"] == "AWS::EFS::MountTarget"}
    assert {key: each["Properties"]["SubnetId"] for key, each in targets.items()} == {
        "FilesystemHomeTargetUseast1a": "subnet-0bbb1234",
        "FilesystemHomeTargetUseast1b": "subnet-0ccc1234",
    }


def test_storage_admits_its_clients_and_nobody_else() -> None:
    found = template(storage_file(EFS, LUSTRE))
    servers = found["Resources"]["StorageServers"]["Properties"]
    clients = {"Fn::GetAtt": ["StorageClients", "GroupId"]}
    assert {(rule["FromPort"], rule["ToPort"]) for rule in servers["SecurityGroupIngress"]} == {
        (2049, 2049),
        (988, 988),
        (1018, 1023),
    }
    assert all(rule["SourceSecurityGroupId"] == clients for rule in servers["SecurityGroupIngress"])
    assert all(rule["DestinationSecurityGroupId"] == clients for rule in servers["SecurityGroupEgress"])
    assert "SecurityGroupIngress" not in found["Resources"]["StorageClients"]["Properties"]
    rules = [each["Properties"] for each in found["Resources"].values() if each["Type"].endswith("GroupIngress")]
    ours = [{"Fn::GetAtt": [group, "GroupId"]} for group in ("StorageServers", "StorageClients")]
    assert all(rule["SourceSecurityGroupId"] in ours and "CidrIp" not in rule for rule in rules)


def test_volumes_alone_have_no_groups() -> None:
    found = template(storage_file(DISK))
    assert [each["Type"] for each in found["Resources"].values()] == ["AWS::EC2::Volume"]
    assert set(found["Outputs"]) == {"FilesystemDiskId", "Kept"}


@pytest.mark.parametrize(
    ("filesystem", "logical_ids", "expected"),
    [
        (EFS, ["FilesystemHome", "FilesystemHomeTargetUseast1a", "StorageServers", "StorageClients"], "Retain"),
        (
            {**EFS, "on_delete": "delete"},
            ["FilesystemHome", "FilesystemHomeTargetUseast1a", "StorageServers", "StorageClients"],
            "",
        ),
        (LUSTRE, ["FilesystemFastZdata", "StorageServers", "StorageClientsFrom988"], "Retain"),
        ({**DISK, "on_delete": "snapshot"}, ["FilesystemDisk"], "Snapshot"),
        ({**DISK, "on_delete": "delete"}, ["FilesystemDisk"], ""),
    ],
)
def test_on_delete_is_what_becomes_of_it(
    filesystem: dict[str, Any], logical_ids: list[str], expected: str
) -> None:
    deleted = KEPT[0] if expected == KEPT[1] else expected
    assert policies(template(storage_file(filesystem)), *logical_ids) == {(deleted, expected)}


def test_exports_are_what_clusters_import() -> None:
    outputs = template(storage_file())["Outputs"]
    assert outputs["FilesystemHomeId"]["Export"]["Name"] == "clusterform-storage-shared-home:home:id"
    assert outputs["Clients"]["Export"]["Name"] == "clusterform-storage-shared-home:clients"


def test_production_is_protected_from_deletion() -> None:
    assert manifest(storage_file(environment="prod"))["terminationProtection"] is True
    assert not manifest(storage_file())["terminationProtection"]


def test_everything_is_encrypted_unless_somebody_says_otherwise() -> None:
    found = template(storage_file(EFS, DISK))["Resources"]
    assert found["FilesystemHome"]["Properties"]["Encrypted"] is True
    assert found["FilesystemDisk"]["Properties"]["Encrypted"] is True


def test_backups_are_made_by_a_role_that_reaches_what_it_backs_up_alone() -> None:
    found = template(storage_file({**EFS, "backup": {"keep_days": 7}}, DISK))["Resources"]
    (rule,) = found["FilesystemHomeBackup"]["Properties"]["BackupPlan"]["BackupPlanRule"]
    assert rule["Lifecycle"] == {"DeleteAfterDays": 7}
    selection = found["FilesystemHomeBackupSelection"]["Properties"]["BackupSelection"]
    assert selection["Resources"] == [{"Fn::GetAtt": ["FilesystemHome", "Arn"]}]
    assert "FilesystemDiskBackup" not in found
    statements = {each["Sid"]: each for each in found["BackupPolicy"]["Properties"]["PolicyDocument"]["Statement"]}
    assert statements.keys() == {"Vault", "Find", "Efs"}
    assert statements["Efs"]["Resource"] == [{"Fn::GetAtt": ["FilesystemHome", "Arn"]}]
    assert found["BackupRole"]["Properties"]["PermissionsBoundary"] == {"Ref": "BackupCeiling"}


def test_the_backup_role_is_under_the_accounts_ceiling_where_the_file_says_so() -> None:
    spec = storage_file({**EFS, "backup": {}}, identity={"ceiling": "account"})
    found = template(spec)["Resources"]
    assert "clusterform-ceiling-" in found["BackupRole"]["Properties"]["PermissionsBoundary"]["Fn::Sub"]
    assert "BackupCeiling" not in found


def test_a_clusters_own_filesystems_come_before_the_cluster_and_stay() -> None:
    spec = cluster(storage=[{"name": "home", "mount": "/home", "type": "efs", "managed_by": "stack"}])
    found = synthesize({"demo": spec}).template("demo")["Resources"]
    assert "FilesystemHomeTargetUseast1a" in found["Cluster"]["DependsOn"]
    assert policies(found and {"Resources": found}, "FilesystemHome", "StorageServers") == {KEPT}
    kept = [str(entry["What"]) for entry in found["GoneNotice"]["Properties"]["Kept"]]
    assert any("${FilesystemHome}" in what for what in kept)
    assert any("${StorageServers.GroupId}" in what for what in kept)


def test_a_clusters_own_filesystem_that_is_deleted_with_it_counts_as_lost() -> None:
    own = {"name": "tmp", "mount": "/tmp2", "type": "efs", "managed_by": "stack", "on_delete": "delete"}
    found = synthesize({"demo": cluster(storage=[own])}).template("demo")["Resources"]
    lost = [str(entry["What"]) for entry in found["GoneNotice"]["Properties"]["Lost"]]
    assert any("${FilesystemTmp}" in what for what in lost)
