"""Why a creation failed: followed through the stacks, cancellations left aside."""

from __future__ import annotations

import pytest

from hpc_constructs.functions.handlers.failures import Failure, failure_chain
from tests.unit import fake_cloud
from tests.unit.callback import STACK_ID
from tests.unit.fake_cloud import CLUSTER_STACK, Cloud, failed

NESTED = "arn:aws:cloudformation:us-east-1:123456789012:stack/demo-QueuesNestedStack-1/7"
EMBEDDED = f"Embedded stack {NESTED} was not successfully created"
OUTER = Failure("Cluster", "clusterform-pc-demo", "demo: HeadNodeBootstrapFailure")
BOOT = "WaitCondition received failed message: 'Failed to download OnNodeConfigured script'"


@pytest.fixture
def cloud(monkeypatch: pytest.MonkeyPatch) -> Cloud:
    fake = fake_cloud.install(monkeypatch)
    cancelled = failed("Other", "Resource creation cancelled")
    fake.events(STACK_ID, cancelled, failed("Cluster", OUTER.reason, "Custom::PclusterCluster", "demo"), cancelled)
    return fake


def deleted_cluster(cloud: Cloud, owner: str = STACK_ID, stack_id: str = CLUSTER_STACK) -> None:
    """The cluster's own stack, which is found by its id alone."""
    cloud.deleted.append({"StackName": "demo", "StackId": stack_id})
    cloud.add(stack_id, stack_id, "DELETE_COMPLETE", clusterform__owner=owner)


def test_the_reason_is_the_first_failure_of_the_clusters_own_deleted_stack(cloud: Cloud) -> None:
    deleted_cluster(cloud)
    cloud.events(CLUSTER_STACK, failed("Later", "a consequence"), failed("HeadNodeWaitCondition", BOOT))
    assert failure_chain(STACK_ID, "demo") == [Failure("HeadNodeWaitCondition", "demo", BOOT), OUTER]


def test_a_living_stack_of_the_cluster_is_read_before_any_deleted_one(cloud: Cloud) -> None:
    cloud.add("demo", CLUSTER_STACK, "ROLLBACK_COMPLETE")
    cloud.add(CLUSTER_STACK, CLUSTER_STACK, "ROLLBACK_COMPLETE", clusterform__owner=STACK_ID)
    cloud.events(CLUSTER_STACK, failed("HeadNodeWaitCondition", BOOT))
    assert failure_chain(STACK_ID, "demo")[0].reason == BOOT
    assert "ListStacks" not in cloud.asked


def test_a_nested_stack_is_followed(cloud: Cloud) -> None:
    deleted_cluster(cloud)
    cloud.events(CLUSTER_STACK, failed("Queues", EMBEDDED, "AWS::CloudFormation::Stack", NESTED))
    cloud.events(NESTED, failed("Role", "boundary is missing"))
    assert failure_chain(STACK_ID, "demo") == [
        Failure("Role", "demo-QueuesNestedStack-1", "boundary is missing"),
        Failure("Queues", "demo", EMBEDDED),
        OUTER,
    ]


def test_events_that_cannot_be_read_leave_what_is_known(cloud: Cloud) -> None:
    deleted_cluster(cloud)
    cloud.events(CLUSTER_STACK, failed("Queues", EMBEDDED, "AWS::CloudFormation::Stack", NESTED))
    assert failure_chain(STACK_ID, "demo") == [Failure("Queues", "demo", EMBEDDED), OUTER]


def test_a_stack_that_another_one_owned_is_not_our_clusters(cloud: Cloud) -> None:
    other = CLUSTER_STACK.replace("/9", "/8")
    deleted_cluster(cloud, owner="arn:another", stack_id=other)
    cloud.events(other, failed("Theirs", "somebody else's failure"))
    assert failure_chain(STACK_ID, "demo") == [OUTER]


def test_a_cluster_without_a_stack_failed_for_the_reason_that_its_provider_gives(cloud: Cloud) -> None:
    assert failure_chain(STACK_ID, "demo") == [OUTER]


def test_a_stack_among_many_deleted_ones_is_found_and_the_search_ends(cloud: Cloud) -> None:
    cloud.deleted = [{"StackName": "other", "StackId": f"arn:{number}"} for number in range(19)]
    deleted_cluster(cloud)
    cloud.events(CLUSTER_STACK, failed("HeadNodeWaitCondition", BOOT))
    assert len(failure_chain(STACK_ID, "demo")) == 2
    cloud.deleted.insert(0, {"StackName": "other", "StackId": "arn:more"})
    assert failure_chain(STACK_ID, "demo") == [OUTER]


@pytest.mark.parametrize(
    "reason", ["Resource creation cancelled", "Resource update cancelled", "Resource creation Cancelled"]
)
def test_a_cancellation_is_never_the_reason(cloud: Cloud, reason: str) -> None:
    cloud.events(STACK_ID, failed("Topic", reason))
    assert failure_chain(STACK_ID, "demo") == []


def test_the_stacks_own_event_is_no_failure_of_a_resource(cloud: Cloud) -> None:
    own = failed("clusterform-pc-demo", "The following resource(s) failed", "AWS::CloudFormation::Stack", STACK_ID)
    cloud.events(STACK_ID, failed("Topic", "denied"), own)
    assert failure_chain(STACK_ID, "demo") == [Failure("Topic", "clusterform-pc-demo", "denied")]


def test_a_failure_without_a_reason_is_told_as_one(cloud: Cloud) -> None:
    event = failed("Topic", "")
    del event["ResourceStatusReason"]
    cloud.events(STACK_ID, event)
    assert failure_chain(STACK_ID, "demo") == [Failure("Topic", "clusterform-pc-demo", "no reason")]
