"""Order is safety here: what stands before the cluster outlives it, and nothing that can fail comes after it."""

from __future__ import annotations

from typing import Any

import pytest

from tests.assembly import closure, references, synthesize
from tests.factories import cluster

AFTER = {"Cluster", "ClusterOwnershipGate"}


@pytest.fixture(scope="module")
def template() -> dict[str, Any]:
    everything = cluster(
        ssh={"allowed_cidrs": ["10.0.0.0/16", "10.1.0.0/16"], "key_reader": "Operators"},
        notifications={"emails": ["a@example.org", "b@example.org"]},
    )
    return synthesize({"demo": everything}).template()


@pytest.fixture(scope="module")
def resources(template: dict[str, Any]) -> dict[str, Any]:
    return template["Resources"]


def test_everything_but_cluster_and_gate_stands_before_the_guard(resources: dict[str, Any]) -> None:
    # What stood beside the cluster and failed would take a new cluster with it.
    before = closure(resources, "ClusterNameGuard")
    assert set(resources) - before - {"ClusterNameGuard"} == AFTER


def test_the_guard_comes_right_before_the_cluster(resources: dict[str, Any]) -> None:
    assert closure(resources, "Cluster") == set(resources) - AFTER


def test_only_the_gate_comes_after_the_cluster(resources: dict[str, Any]) -> None:
    after = {name for name in resources if "Cluster" in closure(resources, name)}
    assert after == {"ClusterOwnershipGate"}


def test_what_the_gate_knows_never_changes_with_the_configuration(resources: dict[str, Any]) -> None:
    # A change of its properties would be an update after the cluster's.
    assert set(resources["ClusterOwnershipGate"]["Properties"]) == {
        "ServiceToken",
        "ServiceTimeout",
        "ClusterName",
    }


def test_alarms_ring_before_the_cluster_is_made_until_after_it_is_gone(resources: dict[str, Any]) -> None:
    assert {"Alarms", "AlarmsPermission"} <= closure(resources, "Cluster")


def test_no_output_asks_the_cluster_for_anything(template: dict[str, Any]) -> None:
    assert references(template["Outputs"]) & (AFTER | {"Provider"}) == set()


def test_nothing_asks_the_cluster_for_an_attribute(template: dict[str, Any]) -> None:
    # headNode.publicIpAddress fails the creation of a cluster whose head node has none.
    assert "Cluster" not in references(template["Resources"])


def test_the_notice_outlives_the_cluster_and_all_it_needs_outlives_the_notice(resources: dict[str, Any]) -> None:
    assert "GoneNotice" in closure(resources, "Cluster")
    subscriptions = {name for name, item in resources.items() if item["Type"] == "AWS::SNS::Subscription"}
    assert len(subscriptions) == 2
    function = {f"Lifecycle{part}" for part in ("Function", "Role", "Policy", "Logs")}
    assert {"Topic", "Ceiling"} | subscriptions | function <= closure(resources, "GoneNotice")


def test_the_buckets_are_emptied_after_the_cluster_and_before_they_go(resources: dict[str, Any]) -> None:
    assert "ScriptManifest" in closure(resources, "Cluster")
    needs = {"StagingBucket", "EngineBucket", "StagingBucketPolicy", "EngineBucketPolicy", "Ceiling"} | {
        f"Staging{part}" for part in ("Function", "Role", "Policy", "Logs")
    }
    assert needs <= closure(resources, "ScriptManifest")


def test_guard_and_gate_bear_the_clusters_logical_id(resources: dict[str, Any]) -> None:
    # A moved cluster then brings a new guard, whose creation fails, instead of a second cluster of the same name.
    (cluster_id,) = [name for name, item in resources.items() if item["Type"] == "Custom::PclusterCluster"]
    assert resources[f"{cluster_id}NameGuard"]["Type"] == "Custom::ClusterNameGuard"
    assert resources[f"{cluster_id}OwnershipGate"]["Type"] == "Custom::ClusterOwnershipGate"


@pytest.mark.parametrize(
    ("logical_id", "type_name"),
    [
        ("Cluster", "Custom::PclusterCluster"),
        ("KeyPair", "AWS::EC2::KeyPair"),
        ("DatabaseSecret", "AWS::SecretsManager::Secret"),
        ("StagingBucket", "AWS::S3::Bucket"),
        ("EngineBucket", "AWS::S3::Bucket"),
        ("Topic", "AWS::SNS::Topic"),
        ("Boundary", "AWS::IAM::ManagedPolicy"),
        ("Provider", "AWS::CloudFormation::Stack"),
        ("ScriptManifest", "Custom::ScriptManifest"),
        ("GoneNotice", "Custom::GoneNotice"),
    ],
)
def test_the_logical_ids_of_what_must_not_be_replaced_stay(
    resources: dict[str, Any], logical_id: str, type_name: str
) -> None:
    assert resources[logical_id]["Type"] == type_name
