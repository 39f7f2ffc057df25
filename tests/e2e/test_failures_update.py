"""Updates that fail: each goes back to what was, or says how to go on; the cluster lives through all of them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.e2e.failures import Site
from tests.e2e.project import STACK
from tests.e2e.stacks import CLUSTER, cluster_id
from tests.faults import Faults

pytestmark = [pytest.mark.xdist_group("e2e-failures-of-life"), pytest.mark.slow]

BUSY = "Cannot execute update while stack is in UPDATE_IN_PROGRESS status."
"""ParallelCluster's refusal while its own stack is still at it."""


@pytest.fixture(scope="module")
def edited(site: Site, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One more byte in a script."""
    return site.project.synth_edited(tmp_path_factory.mktemp("edited") / "out")


@pytest.fixture(scope="module")
def larger(site: Site, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """More nodes, which running nodes do not let one take back."""
    return site.project.synth(tmp_path_factory.mktemp("larger") / "out", **{"queues.cpu.max_nodes": 6})


@pytest.fixture(scope="module")
def kept_longer(site: Site, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Another retention of logs, which can be taken back."""
    return site.project.synth(tmp_path_factory.mktemp("longer") / "out", **{"logs.retention_days": 60})


@pytest.fixture(autouse=True)
def living(site: Site, nothing_left: None) -> Iterator[None]:
    """A cluster, which is still the same one after each test."""
    site.create()
    cluster = cluster_id(site.cloudformation)
    yield
    assert cluster_id(site.cloudformation) == cluster


def staged(site: Site) -> dict[str, bytes]:
    """What nodes read under fixed keys."""
    bucket, s3 = site.stack().physical_id("StagingBucket"), site.aws("s3")
    return {key: s3.get_object(Bucket=bucket, Key=key)["Body"].read() for key in ("entry.sh", "manifest")}


def configuration(site: Site) -> dict[str, Any]:
    """What the cluster runs, whatever its stack believes."""
    (stack,) = site.cloudformation.describe_stacks(StackName="demo")["Stacks"]
    where = {each["ParameterKey"]: each["ParameterValue"] for each in stack["Parameters"]}
    key = f"{where['ArtifactS3RootDirectory']}/configs/cluster-config.yaml"
    answer = site.aws("s3").get_object(
        Bucket=where["ResourcesS3Bucket"], Key=key, VersionId=where["ConfigVersion"]
    )
    return yaml.safe_load(answer["Body"].read())


def most_nodes(site: Site) -> int:
    return int(configuration(site)["Scheduling"]["SlurmQueues"][0]["ComputeResources"][0]["MaxCount"])


def test_an_update_that_parallelcluster_refuses_restores_the_manifest(
    site: Site, edited: Path, tmp_path: Path
) -> None:
    before = staged(site)
    refused = site.project.synth_edited(tmp_path / "out", **{"head_node.instance_type": "c8g.2xlarge"})
    assert site.update(refused) == "UPDATE_ROLLBACK_COMPLETE"
    events = [event[:2] for event in site.stack().events()]
    assert events.index(("ScriptManifest", "UPDATE_COMPLETE")) < events.index((CLUSTER, "UPDATE_FAILED"))
    assert staged(site) == before
    site.follow("UPDATE_ROLLBACK_COMPLETE", edited)
    assert site.status() == "UPDATE_COMPLETE"
    assert staged(site)["manifest"] != before["manifest"]


def test_an_update_that_fails_before_the_cluster(site: Site, edited: Path, faults: Faults) -> None:
    before = staged(site)
    with faults(resource="ScriptManifest", action="Update", effect="refuse", message="throttled"):
        assert site.update(edited) == "UPDATE_ROLLBACK_COMPLETE"
    assert not [event for event in site.stack().events(CLUSTER) if event[1].startswith("UPDATE")]
    assert staged(site) == before
    site.follow("UPDATE_ROLLBACK_COMPLETE", edited)
    assert staged(site)["manifest"] != before["manifest"]


def test_a_new_manifest_that_is_not_answered_is_taken_back(site: Site, edited: Path, faults: Faults) -> None:
    """The function has written it by the time at which CloudFormation gives up."""
    before = staged(site)
    with faults(resource="ScriptManifest", action="Update", effect="silent", seconds=3):
        assert site.update(edited) == "UPDATE_ROLLBACK_COMPLETE"
    assert "did not receive a response" in site.stack().reason("ScriptManifest")
    assert staged(site) == before
    site.follow("UPDATE_ROLLBACK_COMPLETE", edited)
    assert staged(site)["manifest"] != before["manifest"]


def test_a_cluster_that_changed_and_failed_goes_back(site: Site, kept_longer: Path, faults: Faults) -> None:
    before = configuration(site)
    with faults(resource=CLUSTER, action="Update", effect="fail", message="too late"):
        assert site.update(kept_longer) == "UPDATE_ROLLBACK_COMPLETE"
    assert configuration(site) == before
    site.follow("UPDATE_ROLLBACK_COMPLETE", kept_longer)
    assert configuration(site) != before


def test_a_rollback_that_failed_goes_on(site: Site, kept_longer: Path, faults: Faults) -> None:
    before = configuration(site)
    with (
        faults(resource=CLUSTER, action="Update", effect="silent", seconds=3),
        faults(resource=CLUSTER, action="Update", effect="refuse", message=BUSY),
    ):
        assert site.update(kept_longer) == "UPDATE_ROLLBACK_FAILED"
    assert configuration(site) != before
    refused = site.run(kept_longer, "deploy")
    assert refused.returncode == 1
    assert "is in UPDATE_ROLLBACK_FAILED state and can not be updated" in refused.stdout
    site.follow("UPDATE_ROLLBACK_FAILED, and the way back is open", kept_longer)
    assert site.status() == "UPDATE_COMPLETE"
    assert (STACK, "UPDATE_ROLLBACK_COMPLETE") in [event[:2] for event in site.stack().events(STACK)]


def test_a_change_that_cannot_be_undone_is_kept(site: Site, larger: Path, faults: Faults) -> None:
    with faults(resource=CLUSTER, action="Update", effect="fail", message="too late"):
        assert site.update(larger) == "UPDATE_ROLLBACK_FAILED"
    assert "Stop the compute fleet" in site.stack().reason(CLUSTER)
    assert most_nodes(site) == 6
    site.follow("UPDATE_ROLLBACK_FAILED, and ParallelCluster refuses the way back", larger)
    assert site.status() == "UPDATE_COMPLETE"
    assert most_nodes(site) == 6
    assert "There were no differences" in site.run(larger, "diff").stdout


def test_a_stack_whose_rollback_failed_can_be_destroyed(site: Site, larger: Path, faults: Faults) -> None:
    """Left to the end of each test here: that nothing remains."""
    with faults(resource=CLUSTER, action="Update", effect="fail", message="too late"):
        assert site.update(larger) == "UPDATE_ROLLBACK_FAILED"
