"""The ledger of a cluster: what outlives it, with cost and removal, and the data that ends with it."""

from __future__ import annotations

import re
from typing import Any

import pytest

from hpc_constructs.ledger.rendering_cluster import data_lost_with_cluster, kept
from tests.factories import cluster

NODES = "log group /aws/parallelcluster/demo-20..."
FUNCTIONS = "log group /aws/lambda/pcluster-Cleanup..."
PROVIDER = "log group /aws/lambda/pcluster-cfn-..."

EFS = {"name": "data", "mount": "/data", "type": "efs", "on_delete": "retain"}


def names(**changes: Any) -> list[str]:
    return [entry.what for entry in kept("demo", cluster(**changes))]


def about(name: str, **changes: Any) -> list[Any]:
    """The entries that name a filesystem."""
    return [entry for entry in kept("demo", cluster(**changes)) if entry.what.endswith(f" {name}")]


def lost(**changes: Any) -> list[str]:
    return [loss.what for loss in data_lost_with_cluster(cluster(**changes))]


def test_every_log_group_that_parallelcluster_retains_is_named() -> None:
    # Its own functions' groups follow the same setting as the nodes' (its template of 3.15 and 3.16).
    assert names() == [NODES, FUNCTIONS, PROVIDER]


def test_logs_expire_after_30_days_unless_asked_otherwise_and_the_providers_after_its_own_90() -> None:
    def days(**changes: Any) -> list[str]:
        return [re.findall(r"\d+ days", entry.cost)[0] for entry in kept("demo", cluster(**changes))]

    assert days() == ["30 days", "30 days", "90 days"]
    assert days(logs={"retention_days": 7}) == ["7 days", "7 days", "90 days"]


@pytest.mark.parametrize(
    ("logs", "expected"),
    [
        ({"DeletionPolicy": "Delete"}, [PROVIDER]),
        ({"DeletionPolicy": "Retain"}, [NODES, FUNCTIONS, PROVIDER]),
        ({"Enabled": False}, [FUNCTIONS, PROVIDER]),
    ],
)
def test_a_fragment_decides_about_logs(logs: dict[str, Any], expected: list[str]) -> None:
    assert names(parallelcluster={"raw": {"Monitoring": {"Logs": {"CloudWatch": logs}}}}) == expected


@pytest.mark.parametrize(
    ("storage", "what", "removal"),
    [
        ({"type": "ebs", "on_delete": "retain"}, "EBS volume data", ["ec2 delete-volume"]),
        ({"type": "ebs", "on_delete": "snapshot"}, "snapshot of EBS volume data", ["ec2 delete-snapshot"]),
        (
            {"type": "efs", "on_delete": "retain"},
            "EFS filesystem with mount targets and security group: data",
            ["efs delete-mount-target", "efs delete-file-system", "ec2 delete-security-group"],
        ),
        (
            {"type": "fsx-lustre", "on_delete": "retain", "size_gib": 1200},
            "FSx for Lustre filesystem with security group: data",
            ["fsx delete-file-system", "ec2 delete-security-group"],
        ),
    ],
)
def test_storage_that_is_kept_has_a_reason_a_cost_and_the_way_to_remove_it(
    storage: dict[str, Any], what: str, removal: list[str]
) -> None:
    (entry,) = about("data", storage=[{"name": "data", "mount": "/data", **storage}])
    assert (entry.what, entry.reason) == (what, f"holds data, and its on_delete is {storage['on_delete']}")
    assert "month" in entry.cost
    find, *commands = entry.removal
    assert find.startswith("aws resourcegroupstaggingapi get-resources --region us-east-1")
    assert [command.split(" --")[0] for command in commands] == [f"aws {each}" for each in removal]


@pytest.mark.parametrize(
    "storage",
    [
        {"type": "efs", "on_delete": "delete"},
        {"type": "efs", "id": "fs-0123456789abcdef0"},
        {"type": "nfs", "server": "nas.example.org", "export": "/data"},
    ],
)
def test_storage_that_goes_or_is_the_users_is_not_named(storage: dict[str, Any]) -> None:
    assert about("data", storage=[{"name": "data", "mount": "/nfs/data", **storage}]) == []


def test_a_fragment_decides_about_storage() -> None:
    theirs = {
        "Name": "more",
        "MountDir": "/more",
        "StorageType": "Ebs",
        "EbsSettings": {"DeletionPolicy": "Retain"},
    }
    changed = {"Name": "data", "EfsSettings": {"DeletionPolicy": "Retain"}}
    changes = {
        "storage": [EFS | {"on_delete": "delete"}],
        "parallelcluster": {"raw": {"SharedStorage": [changed, theirs]}},
    }
    assert len(about("data", **changes)) == 1
    assert len(about("more", **changes)) == 1


def test_the_root_volume_with_home_and_the_accounting_database_end_with_the_cluster() -> None:
    volume, database = lost()
    assert volume == "the head node's root volume, 100 GiB, with everybody's /home on it"
    assert database.startswith("Slurm's accounting database")


def test_without_accounting_there_is_no_database_to_lose() -> None:
    assert len(lost(software={"accounting": False})) == 1


def test_a_database_elsewhere_is_not_lost() -> None:
    raw = {"Scheduling": {"SlurmSettings": {"Database": {"Uri": "db.example.org"}}}}
    assert len(lost(parallelcluster={"raw": raw})) == 1


@pytest.mark.parametrize(
    "home",
    [
        {"storage": [EFS | {"mount": "/home"}]},
        {
            "parallelcluster": {
                "raw": {"SharedStorage": [{"Name": "h", "MountDir": "/home", "StorageType": "Efs"}]}
            }
        },
    ],
)
def test_a_home_of_its_own_is_not_lost_with_the_root_volume(home: dict[str, Any]) -> None:
    assert lost(**home)[0] == "the head node's root volume, 100 GiB"


def test_a_filesystem_that_is_deleted_is_data_that_ends() -> None:
    assert lost(storage=[EFS | {"on_delete": "delete"}])[-1] == "EFS filesystem data, mounted at /data"
    assert len(lost(storage=[EFS])) == 2
    # ParallelCluster deletes where nothing is said, and never what was there before.
    raw = [
        {"Name": "gone", "MountDir": "/gone", "StorageType": "Ebs"},
        {"Name": "old", "MountDir": "/old", "StorageType": "Ebs", "EbsSettings": {"VolumeId": "vol-0aaa1234"}},
    ]
    assert lost(parallelcluster={"raw": {"SharedStorage": raw}})[2:] == ["EBS volume gone, mounted at /gone"]
