"""The ledger: what outlives a cluster on purpose, with the way to remove it."""

from __future__ import annotations

from typing import Any

import pytest

from hpc_constructs.notifications.rendering import kept
from tests.factories import cluster

NODES = "log group /aws/parallelcluster/demo-...:"
FUNCTIONS = "log group /aws/lambda/pcluster-Cleanup...:"
PROVIDER = "log group /aws/lambda/pcluster-cfn-...:"


def lines(**changes: Any) -> list[str]:
    return kept("demo", cluster(**changes))


def about(name: str, **changes: Any) -> list[str]:
    """The lines that name a filesystem."""
    return [line for line in lines(**changes) if f" {name}" in line and not line.startswith("log group")]


def test_every_log_group_that_parallelcluster_retains_is_named() -> None:
    # Its own functions' groups follow the same setting as the nodes' (its template of 3.15 and 3.16).
    assert [line.partition(":")[0] + ":" for line in lines()] == [NODES, FUNCTIONS, PROVIDER]


@pytest.mark.parametrize(
    ("logs", "expected"),
    [
        ({"DeletionPolicy": "Delete"}, [PROVIDER]),
        ({"DeletionPolicy": "Retain"}, [NODES, FUNCTIONS, PROVIDER]),
        ({"Enabled": False}, [FUNCTIONS, PROVIDER]),
    ],
)
def test_a_fragment_decides_about_logs(logs: dict[str, Any], expected: list[str]) -> None:
    raw = {"Monitoring": {"Logs": {"CloudWatch": logs}}}
    found = lines(parallelcluster={"raw": raw})
    assert [line.partition(":")[0] + ":" for line in found] == expected


@pytest.mark.parametrize(
    ("storage", "removal"),
    [
        ({"type": "ebs", "on_delete": "retain"}, ["EBS volume", "aws ec2 delete-volume"]),
        ({"type": "ebs", "on_delete": "snapshot"}, ["snapshot of EBS volume", "aws ec2 delete-snapshot"]),
        (
            {"type": "efs", "on_delete": "retain"},
            ["aws efs delete-mount-target", "aws efs delete-file-system", "aws ec2 delete-security-group"],
        ),
        (
            {"type": "fsx-lustre", "on_delete": "retain", "size_gib": 1200},
            ["aws fsx delete-file-system", "aws ec2 delete-security-group"],
        ),
    ],
)
def test_storage_that_is_kept_is_named_with_the_way_to_remove_it(
    storage: dict[str, Any], removal: list[str]
) -> None:
    (line,) = about("data", storage=[{"name": "data", "mount": "/data", **storage}])
    assert all(part in line for part in removal), line


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
    ours = [{"name": "data", "mount": "/data", "type": "efs", "on_delete": "delete"}]
    theirs = {
        "Name": "more",
        "MountDir": "/more",
        "StorageType": "Ebs",
        "EbsSettings": {"DeletionPolicy": "Retain"},
    }
    changed = {"Name": "data", "EfsSettings": {"DeletionPolicy": "Retain"}}
    raw = {"SharedStorage": [changed, theirs]}
    assert len(about("data", storage=ours, parallelcluster={"raw": raw})) == 1
    assert len(about("more", storage=ours, parallelcluster={"raw": raw})) == 1
