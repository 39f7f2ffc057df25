"""The guard refuses a cluster with Spot queues where the account lacks the role that Spot needs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from hpc_constructs.functions.handlers import lifecycle
from hpc_constructs.parallelcluster.rendering_spot import SPOT_ROLE, uses_spot
from tests.assembly import synthesize
from tests.factories import MINIMAL, cluster
from tests.unit import fake_cloud
from tests.unit.callback import Callback, Context, listen
from tests.unit.fake_cloud import Cloud, error

PROPERTIES = {"ClusterName": "demo", "Version": "3.16.1"}
SPOT = {**PROPERTIES, "SpotRole": SPOT_ROLE}
ON_DEMAND = [{**queue, "capacity": "ondemand"} for queue in MINIMAL["queues"]]


class Iam(Cloud):
    """An account with roles."""

    def __init__(self) -> None:
        super().__init__()
        self.roles: set[str] = set()

    def get_role(self, RoleName: str) -> dict[str, Any]:
        self._check("GetRole")
        if RoleName not in self.roles:
            raise error("GetRole", "NoSuchEntity", f"The role with name {RoleName} cannot be found.")
        return {"Role": {}}


@pytest.fixture
def cloud(monkeypatch: pytest.MonkeyPatch) -> Iam:
    fake_cloud.install(monkeypatch)
    cloud = Iam()
    monkeypatch.setattr(lifecycle.spot.boto3, "client", cloud.client)
    return cloud


@pytest.fixture
def callback() -> Iterator[Callback]:
    with listen() as address:
        yield address


def run(callback: Callback, request: str, properties: dict[str, Any], **changes: Any) -> dict[str, Any]:
    if request != "Create":
        changes = {"PhysicalResourceId": "ClusterNameGuard/demo", **changes}
    event = callback.event("ClusterNameGuard", request, ResourceProperties=properties, **changes)
    lifecycle.handler(event, Context())
    return callback.only


@pytest.mark.parametrize("request_type", ["Create", "Update"])
def test_a_cluster_with_spot_queues_is_refused_without_the_role(
    callback: Callback, cloud: Iam, request_type: str
) -> None:
    answer = run(callback, request_type, SPOT, OldResourceProperties=PROPERTIES)
    assert answer["Status"] == "FAILED"
    for part in (
        "cluster demo has Spot queues",
        SPOT_ROLE,
        "Nothing was touched",
        "aws iam create-service-linked-role --aws-service-name spot.amazonaws.com",
        "spot_role: create",
        "config/account.yaml",
    ):
        assert part in answer["Reason"]


@pytest.mark.parametrize("request_type", ["Create", "Update"])
def test_it_passes_with_the_role_and_without_spot_nobody_asks(
    callback: Callback, cloud: Iam, request_type: str
) -> None:
    cloud.broken.add("GetRole")
    assert run(callback, request_type, PROPERTIES)["Status"] == "SUCCESS"
    assert "GetRole" not in cloud.asked


@pytest.mark.parametrize("request_type", ["Create", "Update"])
def test_it_passes_with_the_role(callback: Callback, cloud: Iam, request_type: str) -> None:
    cloud.roles.add(SPOT_ROLE)
    assert run(callback, request_type, SPOT)["Status"] == "SUCCESS"


def test_it_refuses_when_it_cannot_ask(callback: Callback, cloud: Iam) -> None:
    cloud.broken.add("GetRole")
    answer = run(callback, "Create", SPOT)
    assert answer["Status"] == "FAILED"
    assert "not allowed" in answer["Reason"]


def test_a_cluster_that_has_spot_queues_already_is_not_asked_again(callback: Callback, cloud: Iam) -> None:
    # A rollback that is refused leaves a stack that nobody can update any more.
    assert run(callback, "Update", SPOT, OldResourceProperties=SPOT)["Status"] == "SUCCESS"


def test_the_guards_delete_does_not_ask(callback: Callback, cloud: Iam) -> None:
    assert run(callback, "Delete", SPOT)["Status"] == "SUCCESS"


RAW_SPOT = {"Scheduling": {"SlurmQueues": [{"Name": "cpu", "CapacityType": "SPOT"}]}}


@pytest.mark.parametrize(
    ("changes", "spot"),
    [
        ({"queues": ON_DEMAND}, False),
        ({"queues": [{**ON_DEMAND[0], "capacity": "spot"}]}, True),
        ({"queues": ON_DEMAND, "parallelcluster": {"raw": RAW_SPOT}}, True),
    ],
)
def test_the_guard_is_told_by_what_the_queues_are(changes: dict[str, Any], spot: bool) -> None:
    spec = cluster(**changes)
    assert uses_spot(spec) is spot
    told = synthesize({"demo": spec}).properties("ClusterNameGuard").get("SpotRole")
    assert told == (SPOT_ROLE if spot else None)
