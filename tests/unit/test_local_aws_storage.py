"""Storage on the local AWS: what ministack lacks of it, and what AWS refuses to delete."""

from __future__ import annotations

from typing import Any

import pytest
from botocore.exceptions import ClientError

from tests import local_stacks
from tests.local_stacks import unique

pytestmark = pytest.mark.xdist_group("local-aws")


def volume(**changes: Any) -> dict[str, Any]:
    properties = {"AvailabilityZone": "us-east-1a", "Size": 10, "VolumeType": "gp3", "Encrypted": True}
    return {"Type": "AWS::EC2::Volume", "Properties": properties | changes}


def group(**properties: Any) -> dict[str, Any]:
    return {"Type": "AWS::EC2::SecurityGroup", "Properties": {"GroupDescription": "of a test", **properties}}


def test_a_volume_is_made_grown_and_deleted(aws: Any) -> None:
    stack = local_stacks.create(aws("cloudformation"), {"Disk": volume(Tags=[{"Key": "a", "Value": "b"}])})
    identifier = stack.physical_id("Disk")
    (found,) = aws("ec2").describe_volumes(VolumeIds=[identifier])["Volumes"]
    assert (found["Size"], found["Encrypted"], found["Tags"]) == (10, True, [{"Key": "a", "Value": "b"}])
    assert stack.update({"Disk": volume(Size=20)}) == "UPDATE_COMPLETE"
    assert stack.physical_id("Disk") == identifier
    assert stack.update({"Disk": volume(Size=5)}) == "UPDATE_ROLLBACK_COMPLETE"
    assert stack.delete() == "DELETE_COMPLETE"
    with pytest.raises(ClientError, match="does not exist"):
        aws("ec2").describe_volumes(VolumeIds=[identifier])


def test_a_lustre_filesystem_has_an_id_that_parallelcluster_takes(aws: Any) -> None:
    properties = {"FileSystemType": "LUSTRE", "StorageCapacity": 1200, "SubnetIds": ["subnet-00000001"]}
    stack = local_stacks.create(
        aws("cloudformation"), {"Fast": {"Type": "AWS::FSx::FileSystem", "Properties": properties}}
    )
    assert len(stack.physical_id("Fast")) == len("fs-") + 17
    assert stack.delete() == "DELETE_COMPLETE"


def test_a_group_that_another_groups_rule_names_refuses_deletion(aws: Any) -> None:
    clients = local_stacks.create(aws("cloudformation"), {"Clients": group()})
    rule = {
        "IpProtocol": "tcp",
        "FromPort": 2049,
        "ToPort": 2049,
        "SourceSecurityGroupId": clients.physical_id("Clients"),
    }
    servers = local_stacks.create(aws("cloudformation"), {"Servers": group(SecurityGroupIngress=[rule])})
    assert clients.delete() == "DELETE_FAILED"
    assert servers.physical_id("Servers") in clients.reason("Clients")
    assert servers.delete() == "DELETE_COMPLETE"
    assert clients.delete() == "DELETE_COMPLETE"


def test_backups_are_selected_by_a_plan_and_a_selection_goes_with_its_stack(aws: Any) -> None:
    name = unique("vault")
    resources: dict[str, Any] = {
        "Vault": {"Type": "AWS::Backup::BackupVault", "Properties": {"BackupVaultName": name}},
        "Plan": {
            "Type": "AWS::Backup::BackupPlan",
            "Properties": {
                "BackupPlan": {
                    "BackupPlanName": name,
                    "BackupPlanRule": [{"RuleName": "daily", "TargetBackupVault": {"Ref": "Vault"}}],
                }
            },
        },
        "Selection": {
            "Type": "AWS::Backup::BackupSelection",
            "Properties": {
                "BackupPlanId": {"Ref": "Plan"},
                "BackupSelection": {
                    "SelectionName": "home",
                    "IamRoleArn": "arn:aws:iam::1:role/x",
                    "Resources": [],
                },
            },
        },
    }
    stack = local_stacks.create(aws("cloudformation"), resources)
    assert stack.wait() == "CREATE_COMPLETE"
    plan = stack.physical_id("Plan")
    (selected,) = aws("backup").list_backup_selections(BackupPlanId=plan)["BackupSelectionsList"]
    assert selected["SelectionName"] == "home"
    assert stack.delete() == "DELETE_COMPLETE"
    assert name not in {each["BackupVaultName"] for each in aws("backup").list_backup_vaults()["BackupVaultList"]}
