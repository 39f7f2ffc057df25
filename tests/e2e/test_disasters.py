"""What must never happen to a living cluster, tried on one: the engine deletes by name, whoever's the name is.

The stack is the one that app.py writes; it is deployed without the CLI, which would add seconds to each case.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from botocore.exceptions import ClientError

from tests.e2e.failures import Site
from tests.e2e.project import Project
from tests.e2e.stacks import (
    CLUSTER,
    GATE,
    GUARD,
    cluster_id,
    foreign_cluster,
    publish,
    start,
    update,
)
from tests.local_stacks import Stack, unique

pytestmark = [pytest.mark.xdist_group("e2e-disasters"), pytest.mark.slow]


@pytest.fixture(scope="module")
def declared(project: Project, assembly: Path, aws: Any) -> dict[str, Any]:
    """The stack's template, with its assets where it expects them."""
    return publish(assembly, aws)


@pytest.fixture(scope="class")
def living(cloudformation: Any, declared: dict[str, Any]) -> Iterator[Stack]:
    """A stack of ours with a living cluster; a test that harms it has failed."""
    stack = start(cloudformation, declared)
    assert stack.wait() == "CREATE_COMPLETE", stack.events()
    yield stack
    assert stack.delete() == "DELETE_COMPLETE", stack.events()


def with_other_names(body: dict[str, Any]) -> dict[str, Any]:
    """The same cluster from a stack whose other fixed names are free, so that the guard alone is in the way."""
    text = json.dumps(body)
    for name in ("demo-key", "clusterform-demo-", "/clusterform/demo"):
        text = text.replace(name, name.replace("demo", "other"))
    return json.loads(text)


def renamed(body: dict[str, Any], **names: str) -> dict[str, Any]:
    """The template with some logical ids changed, references to them included."""
    text = json.dumps(body)
    for old, new in names.items():
        text = text.replace(f'"{old}"', f'"{new}"')
    return json.loads(text)


class TestALivingCluster:
    """Attempts on one cluster, which is there after each of them."""

    def test_a_create_onto_a_taken_name_touches_nothing(
        self, cloudformation: Any, living: Stack, declared: dict[str, Any]
    ) -> None:
        before = cluster_id(cloudformation)
        second = start(cloudformation, with_other_names(declared), unique("second"))
        assert second.wait() == "ROLLBACK_COMPLETE", second.events()
        assert "the name demo is taken by the stack" in second.reason(GUARD)
        assert not second.events(CLUSTER)
        assert cluster_id(cloudformation) == before
        assert second.delete() == "DELETE_COMPLETE"

    def test_another_logical_id_does_not_delete_the_living_cluster(
        self, cloudformation: Any, living: Stack, declared: dict[str, Any]
    ) -> None:
        before = cluster_id(cloudformation)
        moved = renamed(declared, **{name: f"Moved{name}" for name in (CLUSTER, GUARD, GATE)})
        assert update(living, moved) == "UPDATE_ROLLBACK_COMPLETE"
        assert "the name demo is taken by the stack" in living.reason(f"Moved{GUARD}")
        assert cluster_id(cloudformation) == before
        assert CLUSTER in living.left()

    def test_a_rename_is_refused(self, cloudformation: Any, living: Stack, declared: dict[str, Any]) -> None:
        before = cluster_id(cloudformation)
        body = json.loads(json.dumps(declared).replace('"ClusterName": "demo"', '"ClusterName": "renamed"'))
        assert update(living, body) == "UPDATE_ROLLBACK_COMPLETE"
        assert "cluster demo cannot be renamed to renamed" in " ".join(reason for *_, reason in living.events())
        assert cluster_id(cloudformation) == before
        with pytest.raises(ClientError, match="does not exist"):
            cloudformation.describe_stacks(StackName="renamed")

    def test_another_version_is_refused(
        self, cloudformation: Any, living: Stack, declared: dict[str, Any]
    ) -> None:
        before = cluster_id(cloudformation)
        assert update(living, json.loads(json.dumps(declared).replace("3.16.1", "3.15.1"))) == (
            "UPDATE_ROLLBACK_COMPLETE"
        )
        assert "cluster demo was made by ParallelCluster 3.16.1" in living.reason(GUARD)
        assert cluster_id(cloudformation) == before


def test_without_the_guard_the_role_still_may_not_delete_the_other_cluster(
    cloudformation: Any, declared: dict[str, Any]
) -> None:
    """The second line of defence. How the disaster looks without any: tests/unit/test_local_aws_provider.py."""
    victim = Stack(cloudformation, foreign_cluster(cloudformation))
    unguarded = with_other_names(declared)
    del unguarded["Resources"][GUARD]
    for resource in unguarded["Resources"].values():
        if GUARD in resource.get("DependsOn", []):
            resource["DependsOn"].remove(GUARD)
    stack = start(cloudformation, unguarded, unique("unguarded"))
    assert stack.wait() == "ROLLBACK_FAILED"
    assert "not authorized to perform: cloudformation:DeleteStack" in stack.reason(CLUSTER)
    assert victim.describe()["StackStatus"] == "CREATE_COMPLETE"
    assert victim.delete() == "DELETE_COMPLETE"
    assert stack.delete() == "DELETE_COMPLETE"


def test_of_two_simultaneous_creates_one_wins_unharmed(cloudformation: Any, declared: dict[str, Any]) -> None:
    stacks = [start(cloudformation, declared, unique("race")) for _ in range(2)]
    ends = {stack.wait(): stack for stack in stacks}
    assert set(ends) == {"CREATE_COMPLETE", "ROLLBACK_COMPLETE"}, [stack.events() for stack in stacks]
    winner, loser = ends["CREATE_COMPLETE"], ends["ROLLBACK_COMPLETE"]
    assert not loser.events(CLUSTER)
    tags = cloudformation.describe_stacks(StackName="demo")["Stacks"][0]["Tags"]
    assert {"Key": "clusterform:owner", "Value": winner.id} in tags
    assert winner.left() == set(declared["Resources"])
    assert [stack.delete() for stack in (winner, loser)] == ["DELETE_COMPLETE"] * 2


def test_of_two_whose_other_names_differ_one_wins_unharmed(cloudformation: Any, declared: dict[str, Any]) -> None:
    """Both may pass the guard before either cluster exists; then the loser's role is what stands in the way."""
    stacks = [start(cloudformation, body, unique("race")) for body in (declared, with_other_names(declared))]
    ends = {stack.wait(): stack for stack in stacks}
    winner = ends.pop("CREATE_COMPLETE")
    assert len(ends) == 1, [stack.events() for stack in stacks]
    assert set(ends) <= {"ROLLBACK_COMPLETE", "ROLLBACK_FAILED"}
    tags = cloudformation.describe_stacks(StackName="demo")["Stacks"][0]["Tags"]
    assert {"Key": "clusterform:owner", "Value": winner.id} in tags
    assert winner.delete() == "DELETE_COMPLETE"
    assert ends.popitem()[1].delete() == "DELETE_COMPLETE"


def test_a_cluster_that_somebody_recreated_is_not_deleted(
    site: Site, cloudformation: Any, declared: dict[str, Any]
) -> None:
    stack = start(cloudformation, declared)
    assert stack.wait() == "CREATE_COMPLETE"
    assert Stack(cloudformation, cluster_id(cloudformation)).delete() == "DELETE_COMPLETE"
    theirs = foreign_cluster(cloudformation)
    assert stack.delete() == "DELETE_FAILED"
    assert "is not this stack's" in stack.reason(GATE)
    assert not any(status.startswith("DELETE") for _, status, _ in stack.events(CLUSTER))
    assert cluster_id(cloudformation) == theirs
    site.follow("DELETE_FAILED, and the ownership gate refuses")
    assert stack.wait() == "DELETE_COMPLETE"
    assert cluster_id(cloudformation) == theirs
    assert Stack(cloudformation, theirs).delete() == "DELETE_COMPLETE"


def test_a_configuration_that_parallelcluster_refuses_leaves_nothing(
    cloudformation: Any, declared: dict[str, Any]
) -> None:
    broken = json.loads(json.dumps(declared))
    broken["Resources"][CLUSTER]["Properties"]["ClusterConfiguration"]["Bogus"] = 1
    stack = start(cloudformation, broken)
    assert stack.wait() == "ROLLBACK_COMPLETE"
    assert "Bogus: Unknown field." in stack.reason(CLUSTER)
    assert stack.left() == set()
    assert stack.delete() == "DELETE_COMPLETE"
