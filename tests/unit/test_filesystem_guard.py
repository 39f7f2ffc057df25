"""The guard refuses to move a filesystem from one form to another, before the cluster is touched."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from hpc_constructs.functions.handlers import lifecycle
from tests.unit import fake_cloud
from tests.unit.callback import STACK_ID, Callback, Context, listen

FORMS = ["parallelcluster", "stack", "storage:shared-home", "id:fs-0abc1234"]


@pytest.fixture
def cloud(monkeypatch: pytest.MonkeyPatch) -> Any:
    return fake_cloud.install(monkeypatch)


@pytest.fixture
def callback() -> Iterator[Callback]:
    with listen() as address:
        yield address


def update(callback: Callback, former: list[str], wanted: list[str]) -> dict[str, Any]:
    own = {"ClusterName": "demo", "Version": "3.16.1"}
    event = callback.event(
        "ClusterNameGuard",
        "Update",
        PhysicalResourceId="ClusterNameGuard/demo",
        ResourceProperties={**own, "Filesystems": wanted},
        OldResourceProperties={**own, "Filesystems": former},
    )
    lifecycle.handler(event, Context())
    return callback.only


@pytest.mark.parametrize("former", FORMS)
@pytest.mark.parametrize("wanted", FORMS)
def test_a_move_is_refused_with_the_way_to_do_it(callback: Callback, cloud: Any, former: str, wanted: str) -> None:
    answer = update(callback, [f"home {former}"], [f"home {wanted}"])
    if former == wanted:
        assert answer["Status"] == "SUCCESS"
        return
    assert answer["Status"] == "FAILED"
    for part in ("filesystem home cannot move from", "Nothing was touched", "under another name and mount"):
        assert part in answer["Reason"]


@pytest.mark.parametrize(
    ("former", "wanted"),
    [
        (["home stack"], []),
        ([], ["home stack"]),
        (["home stack"], ["other storage:shared-home", "home stack"]),
        (["home id:fs-0abc1234"], ["home id:fs-0def1234"]),
    ],
)
def test_what_comes_goes_or_stays_is_parallelclusters_to_judge(
    callback: Callback, cloud: Any, former: list[str], wanted: list[str]
) -> None:
    assert update(callback, former, wanted)["Status"] == "SUCCESS"


def test_a_rollback_may_put_everything_back(callback: Callback, cloud: Any) -> None:
    cloud.stacks[STACK_ID] = {"StackId": STACK_ID, "StackStatus": "UPDATE_ROLLBACK_IN_PROGRESS", "Tags": []}
    assert update(callback, ["home stack"], ["home parallelcluster"])["Status"] == "SUCCESS"
