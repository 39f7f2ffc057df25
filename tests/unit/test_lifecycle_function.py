"""The guard, the gate and the notice: what they refuse, what they never refuse, and what people are told."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from hpc_constructs.functions.handlers import lifecycle
from tests.unit import fake_cloud
from tests.unit.callback import STACK_ID, Callback, Context, listen
from tests.unit.fake_cloud import CLUSTER_STACK, TOPIC, Cloud, failed

KEPT = {
    "What": "log group x",
    "Reason": "tells why",
    "Cost": "stored data",
    "Removal": ["aws logs delete-log-group"],
}
LOST = {"What": "the head node's root volume", "Instead": "mount /home from elsewhere"}


@pytest.fixture
def cloud(monkeypatch: pytest.MonkeyPatch) -> Cloud:
    return fake_cloud.install(monkeypatch)


@pytest.fixture
def callback() -> Iterator[Callback]:
    with listen() as address:
        yield address


def run(callback: Callback, kind: str, request: str, **changes: Any) -> dict[str, Any]:
    properties = {"ClusterName": "demo", "Version": "3.16.1", "Kept": [KEPT], "Lost": [LOST]}
    if request != "Create":
        changes = {"PhysicalResourceId": f"{kind}/demo"} | changes
    event = callback.event(kind, request, **({"ResourceProperties": properties} | changes))
    lifecycle.handler(event, Context())
    return callback.only


def test_the_guard_lets_a_free_name_pass(callback: Callback, cloud: Cloud) -> None:
    answer = run(callback, "ClusterNameGuard", "Create")
    assert (answer["Status"], answer["PhysicalResourceId"]) == ("SUCCESS", "ClusterNameGuard/demo")


@pytest.mark.parametrize("status", ["CREATE_COMPLETE", "DELETE_FAILED", "REVIEW_IN_PROGRESS", "ROLLBACK_COMPLETE"])
def test_the_guard_refuses_a_name_that_any_stack_bears(callback: Callback, cloud: Cloud, status: str) -> None:
    cloud.add("demo", CLUSTER_STACK, status)
    answer = run(callback, "ClusterNameGuard", "Create")
    assert answer["Status"] == "FAILED"
    for part in ("demo", CLUSTER_STACK, status, "unknown to clusterform", "choose another name"):
        assert part in answer["Reason"]


def test_the_guard_refuses_even_its_own_stacks_cluster(callback: Callback, cloud: Cloud) -> None:
    # The cluster's logical id changed: otherwise a second cluster of the name is made and the first one deleted.
    cloud.add("demo", CLUSTER_STACK, "UPDATE_COMPLETE", clusterform__owner=STACK_ID)
    answer = run(callback, "ClusterNameGuard", "Create")
    assert answer["Status"] == "FAILED"
    assert STACK_ID in answer["Reason"]


def test_the_guard_refuses_when_it_cannot_ask(callback: Callback, cloud: Cloud) -> None:
    cloud.broken.add("DescribeStacks")
    assert run(callback, "ClusterNameGuard", "Create")["Status"] == "FAILED"


def test_the_guard_refuses_a_rename_and_keeps_its_id(callback: Callback, cloud: Cloud) -> None:
    answer = run(callback, "ClusterNameGuard", "Update", PhysicalResourceId="ClusterNameGuard/former")
    assert (answer["Status"], answer["PhysicalResourceId"]) == ("FAILED", "ClusterNameGuard/former")
    assert "former cannot be renamed to demo" in answer["Reason"]


def test_the_rollback_of_a_rename_passes(callback: Callback, cloud: Cloud) -> None:
    # CloudFormation then sends the former properties as the new ones: a comparison of the two would refuse again.
    answer = run(callback, "ClusterNameGuard", "Update", OldResourceProperties={"ClusterName": "renamed"})
    assert answer["Status"] == "SUCCESS"


def other_version(callback: Callback) -> dict[str, Any]:
    properties = {"ClusterName": "demo", "Version": "3.16.1"}
    return run(callback, "ClusterNameGuard", "Update", ResourceProperties=properties)


def test_the_guard_refuses_another_version_than_the_one_that_made_the_cluster(
    callback: Callback, cloud: Cloud
) -> None:
    # The cluster's own properties do not change with it: the deployment would succeed, and leave a cluster that
    # its new provider refuses to update.
    cloud.add("demo", CLUSTER_STACK, "UPDATE_COMPLETE", parallelcluster__version="3.15.1")
    answer = other_version(callback)
    assert answer["Status"] == "FAILED"
    for part in ("demo", "3.15.1", "3.16.1", "parallelcluster_version"):
        assert part in answer["Reason"]


@pytest.mark.parametrize("tags", [{}, {"parallelcluster__version": "3.16.1"}])
def test_the_guard_lets_the_version_that_made_the_cluster_pass(
    callback: Callback, cloud: Cloud, tags: dict[str, str]
) -> None:
    # So does the rollback of a refused version: the question is what made the cluster, not what was asked before.
    cloud.add("demo", CLUSTER_STACK, "UPDATE_COMPLETE", **tags)
    assert other_version(callback)["Status"] == "SUCCESS"


def test_the_guard_has_no_opinion_on_the_version_of_a_cluster_that_is_gone(
    callback: Callback, cloud: Cloud
) -> None:
    assert other_version(callback)["Status"] == "SUCCESS"


@pytest.mark.parametrize("taken", [False, True])
def test_the_guards_delete_does_nothing(callback: Callback, cloud: Cloud, taken: bool) -> None:
    if taken:
        cloud.add("demo", CLUSTER_STACK, "CREATE_COMPLETE")
    cloud.broken.add("DescribeStacks")
    assert run(callback, "ClusterNameGuard", "Delete")["Status"] == "SUCCESS"


def test_the_gate_says_that_the_cluster_is_up_with_all_that_its_template_tells(
    callback: Callback, cloud: Cloud
) -> None:
    # Nothing of it is the gate's own property: a change of those would come after the cluster.
    gate = {"ClusterName": "demo"}
    assert run(callback, "ClusterOwnershipGate", "Create", ResourceProperties=gate)["Status"] == "SUCCESS"
    (message,) = cloud.published
    assert (message["TopicArn"], message["Subject"]) == (TOPIC, "Cluster demo is up")
    for line in (
        "- head node: c8g.xlarge",
        "- login pool login: 2 x c8g.large",
        "- queue cpu (spot): 1 to 8 nodes of c8g.2xlarge or c7g.2xlarge",
        "- /data: EFS",
        "    aws ssm start-session",
        "Hourly cost: prices are not known here.",
        f"Stack: {STACK_ID}",
    ):
        assert line in message["Message"].splitlines()


@pytest.mark.parametrize("template", [None, {}, {"Resources": {}}, "not JSON"])
def test_the_cluster_is_up_even_where_its_template_tells_nothing(
    callback: Callback, cloud: Cloud, template: Any
) -> None:
    if template is None:
        cloud.broken.add("GetTemplate")
    cloud.template = template
    run(callback, "ClusterOwnershipGate", "Create")
    (message,) = cloud.published
    assert message["Subject"] == "Cluster demo is up"


@pytest.mark.parametrize("request_type", ["Create", "Update"])
def test_the_gate_never_fails_after_the_cluster_was_made(
    callback: Callback, cloud: Cloud, request_type: str
) -> None:
    cloud.broken |= {"Publish", "DescribeStacks", "GetTemplate"}
    assert run(callback, "ClusterOwnershipGate", request_type)["Status"] == "SUCCESS"


def test_the_gate_is_silent_on_update(callback: Callback, cloud: Cloud) -> None:
    run(callback, "ClusterOwnershipGate", "Update")
    assert cloud.published == []


def test_the_gate_opens_for_our_own_cluster(callback: Callback, cloud: Cloud) -> None:
    cloud.add("demo", CLUSTER_STACK, "CREATE_COMPLETE", clusterform__owner=STACK_ID)
    assert run(callback, "ClusterOwnershipGate", "Delete")["Status"] == "SUCCESS"


def test_the_gate_opens_when_there_is_no_cluster(callback: Callback, cloud: Cloud) -> None:
    assert run(callback, "ClusterOwnershipGate", "Delete")["Status"] == "SUCCESS"


@pytest.mark.parametrize("tags", [{}, {"clusterform__owner": "arn:another"}, {"owner": STACK_ID}])
def test_the_gate_refuses_to_delete_what_another_stack_made(
    callback: Callback, cloud: Cloud, tags: dict[str, str]
) -> None:
    cloud.add("demo", CLUSTER_STACK, "CREATE_COMPLETE", **tags)
    answer = run(callback, "ClusterOwnershipGate", "Delete")
    assert answer["Status"] == "FAILED"
    assert CLUSTER_STACK in answer["Reason"]
    assert "RetainResources" in answer["Reason"]


def test_the_gate_refuses_to_delete_when_it_cannot_ask(callback: Callback, cloud: Cloud) -> None:
    cloud.broken.add("DescribeStacks")
    assert run(callback, "ClusterOwnershipGate", "Delete")["Status"] == "FAILED"


@pytest.mark.parametrize("request_type", ["Create", "Update"])
def test_the_notice_says_nothing_before_the_end(callback: Callback, cloud: Cloud, request_type: str) -> None:
    assert run(callback, "GoneNotice", request_type)["Status"] == "SUCCESS"
    assert cloud.published == []


def test_the_notice_says_what_was_removed_what_data_ended_and_what_is_kept(
    callback: Callback, cloud: Cloud
) -> None:
    cloud.add(STACK_ID, STACK_ID, "DELETE_IN_PROGRESS")
    assert run(callback, "GoneNotice", "Delete")["Status"] == "SUCCESS"
    (message,) = cloud.published
    assert message["Subject"] == "Cluster demo is gone"
    for line in (
        "- head node: c8g.xlarge",
        "- the head node's root volume",
        "  mount /home from elsewhere",
        "- log group x",
        "  why: tells why",
        "  cost: stored data",
        "    aws logs delete-log-group",
    ):
        assert line in message["Message"].splitlines()


def test_the_notice_does_not_say_gone_of_a_cluster_that_is_still_there(callback: Callback, cloud: Cloud) -> None:
    cloud.add(STACK_ID, STACK_ID, "DELETE_IN_PROGRESS")
    cloud.add("demo", CLUSTER_STACK, "DELETE_FAILED", clusterform__owner=STACK_ID)
    run(callback, "GoneNotice", "Delete")
    (message,) = cloud.published
    assert message["Subject"] == "Cluster demo was not deleted"
    assert f"  {CLUSTER_STACK}\n  DELETE_FAILED" in message["Message"]


def test_the_notice_tells_a_failed_creation_with_its_first_failure(callback: Callback, cloud: Cloud) -> None:
    cloud.add(STACK_ID, STACK_ID, "ROLLBACK_IN_PROGRESS")
    cloud.event_pages[STACK_ID] = [
        [failed("Gate", "Resource creation cancelled")],
        [failed("Bucket", "no capacity"), failed("Topic", "Resource creation cancelled")],
    ]
    run(callback, "GoneNotice", "Delete")
    (message,) = cloud.published
    assert message["Subject"] == "Cluster demo could not be created"
    assert "What failed first\n- Bucket of stack clusterform-pc-demo:\n  no capacity" in message["Message"]
    # The engine keeps logs and filesystems when its own stack is rolled back as well.
    assert "- log group x" in message["Message"]
    assert "cancelled" not in message["Message"]


@pytest.mark.parametrize("unreadable", [False, True])
def test_a_creation_that_failed_without_a_recorded_reason_is_told(
    callback: Callback, cloud: Cloud, unreadable: bool
) -> None:
    cloud.add(STACK_ID, STACK_ID, "ROLLBACK_IN_PROGRESS")
    cloud.events(STACK_ID)
    if unreadable:
        cloud.broken.add("DescribeStackEvents")
    run(callback, "GoneNotice", "Delete")
    (message,) = cloud.published
    assert "No failure is recorded: the creation was probably cancelled." in message["Message"]


def test_the_notice_names_what_a_failed_creation_left_behind(callback: Callback, cloud: Cloud) -> None:
    cloud.add(STACK_ID, STACK_ID, "ROLLBACK_IN_PROGRESS")
    cloud.add("demo", CLUSTER_STACK, "CREATE_COMPLETE", clusterform__owner=STACK_ID)
    cloud.events(STACK_ID)
    run(callback, "GoneNotice", "Delete")
    (message,) = cloud.published
    assert "The cluster's own stack is still there" in message["Message"]
    assert CLUSTER_STACK in message["Message"]


@pytest.mark.parametrize(
    ("status", "subject"),
    [
        ("ROLLBACK_IN_PROGRESS", "Cluster demo could not be created"),
        ("DELETE_IN_PROGRESS", "Cluster demo is gone"),
    ],
)
def test_the_notice_says_that_somebody_elses_stack_was_not_touched(
    callback: Callback, cloud: Cloud, status: str, subject: str
) -> None:
    cloud.add(STACK_ID, STACK_ID, status)
    cloud.add("demo", CLUSTER_STACK, "CREATE_COMPLETE", clusterform__owner="arn:another")
    cloud.events(STACK_ID)
    run(callback, "GoneNotice", "Delete")
    (message,) = cloud.published
    assert message["Subject"] == subject
    assert "Somebody else's stack bears the cluster's name, and was not touched" in message["Message"]
    assert CLUSTER_STACK in message["Message"]


def test_the_notice_is_silent_when_an_update_drops_it(callback: Callback, cloud: Cloud) -> None:
    cloud.add(STACK_ID, STACK_ID, "UPDATE_COMPLETE_CLEANUP_IN_PROGRESS")
    run(callback, "GoneNotice", "Delete")
    assert cloud.published == []


@pytest.mark.parametrize("operation", ["DescribeStacks", "DescribeStackEvents", "GetTemplate", "Publish"])
def test_the_notice_never_fails_a_delete(callback: Callback, cloud: Cloud, operation: str) -> None:
    cloud.add(STACK_ID, STACK_ID, "ROLLBACK_IN_PROGRESS")
    cloud.broken.add(operation)
    assert run(callback, "GoneNotice", "Delete")["Status"] == "SUCCESS"
