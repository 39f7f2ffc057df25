"""Deletions that fail or are refused: nothing is lost by surprise, and a second one finds nothing in its way."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.e2e.failures import Site
from tests.e2e.stacks import CLUSTER, GATE, cluster_id
from tests.faults import Faults
from tests.local_stacks import Stack

pytestmark = [pytest.mark.xdist_group("e2e-failures-of-life"), pytest.mark.slow]


@pytest.fixture(autouse=True)
def living(site: Site, nothing_left: None) -> Stack:
    """A living cluster, of which nothing may be left in the end."""
    return site.create()


@pytest.mark.parametrize(
    ("resource", "has_cluster"), [(GATE, True), (CLUSTER, False), ("GoneNotice", False), ("Provider", False)]
)
def test_a_deletion_that_is_not_answered(
    site: Site, living: Stack, faults: Faults, resource: str, has_cluster: bool
) -> None:
    effect = {"effect": "silent", "seconds": 3} if resource != "Provider" else {"effect": "refuse"}
    with faults(resource=resource, action="Delete", **effect):
        assert living.delete() == "DELETE_FAILED"
    assert resource in living.left()
    assert {"LifecycleFunction", "LifecycleRole", "Boundary"} <= living.left() or resource == "Provider"
    assert site.has_cluster() is has_cluster
    site.follow("DELETE_FAILED")
    assert living.describe()["StackStatus"] == "DELETE_COMPLETE"


def test_a_bucket_that_cannot_be_emptied_at_first(site: Site, living: Stack, faults: Faults) -> None:
    with faults(resource="ScriptManifest", action="Delete", effect="refuse", message="2 objects of it stay"):
        assert living.delete() == "DELETE_FAILED"
    assert {"ScriptManifest", "StagingBucket", "EngineBucket", "StagingFunction"} <= living.left()
    assert not site.has_cluster()
    site.follow("DELETE_FAILED")
    assert living.describe()["StackStatus"] == "DELETE_COMPLETE"


def test_a_bucket_with_what_others_put_there_is_emptied(site: Site, living: Stack) -> None:
    s3 = site.aws("s3")
    for logical_id in ("StagingBucket", "EngineBucket"):
        bucket = living.physical_id(logical_id)
        for _ in range(2):
            s3.put_object(Bucket=bucket, Key="notes.txt", Body=b"x")
        s3.delete_object(Bucket=bucket, Key="notes.txt")
    assert living.delete() == "DELETE_COMPLETE", living.events()


def test_a_bucket_that_is_filled_after_it_was_emptied(site: Site, living: Stack, faults: Faults) -> None:
    bucket = living.physical_id("StagingBucket")
    with faults(resource="ScriptManifest", action="Delete", effect="hold-after") as fault:
        site.cloudformation.delete_stack(StackName=living.id)
        fault.wait()
        for _ in range(2):
            site.aws("s3").put_object(Bucket=bucket, Key="notes.txt", Body=b"x")
        site.aws("s3").delete_object(Bucket=bucket, Key="notes.txt")
    assert living.wait() == "DELETE_FAILED"
    assert "The bucket you tried to delete is not empty" in living.reason("StagingBucket")
    assert not site.has_cluster()
    again = site.run(site.assembly, "destroy")
    assert again.returncode == 1, "nobody empties it any more"
    site.follow("DELETE_FAILED, and a bucket is not empty", BUCKET=bucket)
    assert living.describe()["StackStatus"] == "DELETE_COMPLETE"


def test_a_destroy_during_an_update_is_refused(site: Site, living: Stack, faults: Faults, tmp_path: Path) -> None:
    cluster = cluster_id(site.cloudformation)
    larger = site.project.synth(tmp_path / "out", **{"queues.cpu.max_nodes": 6})
    with faults(resource=CLUSTER, action="Update", effect="hold") as fault:
        site.start_update(larger)
        fault.wait()
        refused = site.run(site.assembly, "destroy")
        assert refused.returncode == 1
        assert "cannot be deleted while in status UPDATE_IN_PROGRESS" in refused.stdout
    site.follow("The stack is being updated", larger)
    assert site.status() == "UPDATE_COMPLETE"
    assert cluster_id(site.cloudformation) == cluster
    assert site.run(larger, "destroy").returncode == 0
    assert site.status() is None


def test_killed_while_a_deletion_goes_on(site: Site, living: Stack, faults: Faults) -> None:
    with faults(resource=CLUSTER, action="Delete", effect="hold") as fault:
        with site.killed_cli("destroy", "--all", "--force", "-a", str(site.assembly)):
            fault.wait()
        assert living.describe()["StackStatus"] == "DELETE_IN_PROGRESS"
    site.follow("The stack is being deleted")
    assert living.describe()["StackStatus"] == "DELETE_COMPLETE"


def test_a_protected_stack_is_not_destroyed(site: Site, living: Stack, tmp_path: Path) -> None:
    protected = site.project.synth(tmp_path / "protected", termination_protection=True)
    assert site.run(protected, "deploy").returncode == 0
    refused = site.run(protected, "destroy")
    assert refused.returncode == 1
    assert "cannot be deleted while TerminationProtection is enabled" in refused.stdout
    assert not [event for event in living.events() if event[1].startswith("DELETE")]
    assert site.has_cluster()
    site.follow("Termination protection")
    assert living.describe()["StackStatus"] == "DELETE_COMPLETE"
