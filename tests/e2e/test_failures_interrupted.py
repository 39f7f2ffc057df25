"""The CDK CLI is killed at each stage, or meets another: what it leaves, and that the next one works."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.e2e.failures import Site, wait_for
from tests.e2e.stacks import CLUSTER
from tests.faults import Faults

pytestmark = [
    pytest.mark.xdist_group("e2e-failures-of-cli"),
    pytest.mark.slow,
    pytest.mark.usefixtures("nothing_left"),
]

DEPLOY = ("deploy", "--require-approval", "never")
BEFORE, DURING = "The CLI stops before CloudFormation has begun", "The CLI stops while CloudFormation works"
UPDATING = "The stack is being updated"
ASSETS = "/cdk-clform-assets-"


@pytest.fixture
def larger(site: Site, tmp_path: Path) -> Path:
    return site.project.synth(tmp_path / "larger", **{"queues.cpu.max_nodes": 6})


def test_killed_while_it_synthesizes(site: Site) -> None:
    """In the project's own folder, where the dead CLI's lock stays behind."""
    lock = site.project.folder / "cdk.out" / "synth.lock"
    with site.killed_cli(*DEPLOY, "-c", "cluster=demo"):
        wait_for(lock)
    assert site.status() is None
    assert lock.exists()
    done = site.project.cdk(*DEPLOY, "-c", "cluster=demo")
    assert done.returncode == 0, done.stdout
    assert site.status() == "CREATE_COMPLETE"


def test_killed_while_it_uploads(site: Site, faults: Faults, tmp_path: Path) -> None:
    edited = site.project.synth_edited(tmp_path / "edited", **{"queues.cpu.max_nodes": 5})
    with (
        faults(request="PUT", path=ASSETS, effect="hold") as fault,
        site.killed_cli(*DEPLOY, "-a", str(edited)),
    ):
        fault.wait()
    assert site.status() is None
    site.follow(BEFORE, edited)
    assert site.status() == "CREATE_COMPLETE"


def test_an_upload_that_is_refused(site: Site, faults: Faults, tmp_path: Path) -> None:
    edited = site.project.synth(tmp_path / "edited", **{"queues.cpu.max_nodes": 3})
    with faults(request="PUT", path=ASSETS, effect="refuse", message="Access Denied"):
        refused = site.run(edited, "deploy")
    assert refused.returncode == 1
    assert "Access Denied" in refused.stdout
    assert site.status() is None
    site.follow(BEFORE, edited)
    assert site.status() == "CREATE_COMPLETE"


def test_killed_with_its_change_set_made(site: Site, faults: Faults) -> None:
    with (
        faults(request="POST", path="/", call="ExecuteChangeSet", effect="hold") as fault,
        site.killed_cli(*DEPLOY, "-a", str(site.assembly)),
    ):
        fault.wait()
    assert site.status() == "REVIEW_IN_PROGRESS"
    assert site.stack().left() == set()
    site.follow(BEFORE)
    assert site.status() == "CREATE_COMPLETE"


def test_killed_while_a_creation_goes_on(site: Site, faults: Faults) -> None:
    with faults(resource=CLUSTER, action="Create", effect="hold") as fault:
        with site.killed_cli(*DEPLOY, "-a", str(site.assembly)):
            fault.wait()
        assert site.status() == "CREATE_IN_PROGRESS"
        early = site.run(site.assembly, "deploy")
        assert (early.returncode, "(no changes)" in early.stdout) == (0, True), "what the runbook warns of"
        assert not site.has_cluster()
    site.follow(DURING)
    assert site.status() == "CREATE_COMPLETE"
    assert site.has_cluster()


def test_killed_while_an_update_goes_on(site: Site, faults: Faults, larger: Path) -> None:
    stack = site.create()
    with faults(resource=CLUSTER, action="Update", effect="hold") as fault:
        with site.killed_cli(*DEPLOY, "-a", str(larger)):
            fault.wait()
        assert site.status() == "UPDATE_IN_PROGRESS"
    site.follow(UPDATING, larger)
    assert site.status() == "UPDATE_COMPLETE"
    assert [event[1] for event in stack.events(CLUSTER)][-2:] == ["UPDATE_IN_PROGRESS", "UPDATE_COMPLETE"]


def test_of_two_deployments_the_second_is_refused(
    site: Site, faults: Faults, larger: Path, tmp_path: Path
) -> None:
    site.create()
    largest = site.project.synth(tmp_path / "largest", **{"queues.cpu.max_nodes": 8})
    with faults(resource=CLUSTER, action="Update", effect="hold") as fault:
        site.start_update(larger)
        fault.wait()
        second = site.run(largest, "deploy")
        assert second.returncode == 1
        assert "is in UPDATE_IN_PROGRESS state and can not be updated" in second.stdout
    assert site.stack().wait() == "UPDATE_COMPLETE"
    assert '"MaxCount": 6' in str(site.run(largest, "diff").stdout), "the first one's change is what there is"
    site.follow(UPDATING, largest)
    assert site.status() == "UPDATE_COMPLETE"
