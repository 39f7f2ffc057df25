"""Creations that fail before, within and after the cluster: nothing is left, and the next one works."""

from __future__ import annotations

import pytest
from botocore.exceptions import ClientError

from tests.e2e import stacks
from tests.e2e.failures import Site
from tests.e2e.stacks import CLUSTER, GATE, GUARD
from tests.faults import Faults
from tests.local_inbox import Inbox
from tests.local_stacks import Stack, unique

pytestmark = [
    pytest.mark.xdist_group("e2e-failures"),
    pytest.mark.slow,
    pytest.mark.usefixtures("nothing_left"),
]

UNANSWERED = "CloudFormation did not receive a response from your Custom Resource"


def rolled_back(site: Site, started: Stack | None = None) -> Stack:
    """Create a stack, which must fail and leave nothing but its record."""
    stack = started or site.start()
    status = stack.wait()
    assert status == "ROLLBACK_COMPLETE", [event for event in stack.events() if event[1].endswith("FAILED")]
    assert stack.left() == set()
    assert not site.has_cluster()
    return stack


def again(site: Site, section: str = "ROLLBACK_COMPLETE") -> None:
    """What the runbook says, which makes the cluster after all."""
    site.follow(section)
    assert site.status() == "CREATE_COMPLETE"
    assert site.has_cluster()


def test_a_failure_before_the_cluster(site: Site, faults: Faults) -> None:
    with faults(resource="KeyPair", action="Create", effect="refuse", message="Key Pair demo-key already exists"):
        stack = rolled_back(site)
    assert not stack.events(CLUSTER)
    again(site)


def test_a_head_node_that_does_not_boot(site: Site, faults: Faults) -> None:
    with faults(head_node="demo", effect="refuse", message="Cluster bootstrap failed"):
        stack = rolled_back(site)
    assert "HeadNodeBootstrapFailure" in stack.reason(CLUSTER)
    assert not stack.events(GATE)
    again(site)


def test_a_failure_after_the_cluster(site: Site, faults: Faults) -> None:
    """Only the gate comes after it, and fails only if nothing answers; then a new cluster goes again."""
    with faults(resource=GATE, action="Create", effect="silent", seconds=2):
        stack = rolled_back(site)
    assert UNANSWERED in stack.reason(GATE)
    assert (CLUSTER, "CREATE_COMPLETE") in [event[:2] for event in stack.events(CLUSTER)]
    again(site)


def test_a_manifest_whose_deployment_is_not_answered(site: Site, faults: Faults) -> None:
    with faults(resource="ScriptManifest", action="Create", effect="silent", seconds=3):
        stack = rolled_back(site)
    assert UNANSWERED in stack.reason("ScriptManifest")
    assert not stack.events(CLUSTER)
    again(site)


def test_a_provider_that_takes_too_long(site: Site, faults: Faults) -> None:
    """CloudFormation gives up while the cluster is being made; it is deleted all the same, and people know."""
    inbox = Inbox(site.aws)
    with (
        faults(head_node="demo", effect="silent", seconds=6) as boot,
        faults(resource=CLUSTER, action="Create", effect="silent", seconds=3),
    ):
        stack = site.start()
        boot.wait()
        inbox.subscribe(stack.physical_id("Topic"))
        rolled_back(site, stack)
    told = inbox.next()
    inbox.close()
    assert told["Subject"] == "Cluster demo could not be created"
    assert UNANSWERED in " ".join(told["Message"].split())
    assert UNANSWERED in stack.reason(CLUSTER)
    assert not stack.events(GATE)
    again(site)


def test_a_rollback_that_cannot_delete(site: Site, faults: Faults) -> None:
    with (
        faults(head_node="demo", effect="refuse", message="Cluster bootstrap failed"),
        faults(resource="ScriptManifest", action="Delete", effect="refuse", message="throttled"),
    ):
        stack = site.start()
        assert stack.wait() == "ROLLBACK_FAILED"
    assert {"ScriptManifest", "StagingBucket", "EngineBucket", "StagingRole"} <= stack.left()
    assert not site.has_cluster()
    again(site, "ROLLBACK_FAILED")


def test_a_name_that_a_cluster_made_elsewhere_has(site: Site) -> None:
    theirs = stacks.foreign_cluster(site.cloudformation)
    stack = site.start()
    assert stack.wait() == "ROLLBACK_COMPLETE"
    assert f"the name demo is taken by the stack {theirs}" in stack.reason(GUARD)
    assert "owner: unknown to clusterform" in stack.reason(GUARD)
    assert not stack.events(CLUSTER)
    assert stacks.cluster_id(site.cloudformation) == theirs
    assert Stack(site.cloudformation, theirs).delete() == "DELETE_COMPLETE"
    again(site)


def test_a_name_that_a_stack_of_ours_has(site: Site) -> None:
    """Under another stack's name, since CloudFormation itself refuses a second stack of ours."""
    first = site.create()
    cluster = stacks.cluster_id(site.cloudformation)
    body = stacks.publish(site.assembly, site.aws)
    with pytest.raises(ClientError, match="already exists"):
        stacks.start(site.cloudformation, body)
    second = stacks.start(site.cloudformation, body, unique("second"))
    assert second.wait() == "ROLLBACK_COMPLETE"
    assert not second.events(CLUSTER)
    assert stacks.cluster_id(site.cloudformation) == cluster
    assert first.describe()["StackStatus"] == "CREATE_COMPLETE"
    assert second.delete() == "DELETE_COMPLETE"
