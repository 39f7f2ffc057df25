"""How long starts take: the sum, what it is made of, and what is said where the engine would not wait for it."""

from __future__ import annotations

from typing import Any

import pytest

from bootstrap_assets.budget import ENGINE_SECONDS, Budget, budgets
from bootstrap_assets.catalogue import steps_after_hooks, steps_before_hooks
from bootstrap_assets.findings import budget_findings
from config.findings import Severity
from config.rules.timeouts import CREATION_SECONDS
from tests.factories import MINIMAL, cluster

EFS = {"name": "efs", "mount": "/efs", "type": "efs"}
LUSTRE = {"name": "fsx", "mount": "/fsx", "type": "fsx-lustre"}
LOGIN = [{"name": "login", "subnet": "public-a"}]


def _budget(node: str = "head", **changes: Any) -> Budget:
    return next(budget for budget in budgets("demo", cluster(**changes)) if budget.node == node)


def _seconds(node: str = "head", **changes: Any) -> int:
    return _budget(node, **changes).seconds


def _static(nodes: int) -> list[dict[str, Any]]:
    return [MINIMAL["queues"][0] | {"min_nodes": nodes}]


def test_a_start_is_the_engines_part_and_each_step_of_the_node() -> None:
    spec = cluster(login=LOGIN)
    steps = [*steps_before_hooks("demo", spec), *steps_after_hooks("demo", spec)]

    for budget in budgets("demo", spec):
        own = {step.name: step.seconds for step in steps if budget.node in step.nodes}
        assert {item.what: item.seconds for item in budget.items} == {
            "ParallelCluster": ENGINE_SECONDS[budget.node],
            **own,
        }


def test_login_nodes_are_told_of_where_there_are_some() -> None:
    assert [budget.node for budget in budgets("demo", cluster())] == ["head", "compute"]
    assert [budget.node for budget in budgets("demo", cluster(login=LOGIN))] == ["head", "login", "compute"]


def test_a_hook_counts_on_its_nodes_with_the_seconds_that_the_file_gives() -> None:
    hook = {"script": "site/after.sh", "nodes": ["compute"]}

    assert _seconds("compute", hooks={"on_node_configured": [hook]}) == _seconds("compute") + 60
    assert _seconds("compute", hooks={"on_node_configured": [hook | {"seconds": 7}]}) == _seconds("compute") + 7
    assert _seconds("head", hooks={"on_node_configured": [hook]}) == _seconds("head")
    started = {"script": "site/start.sh", "nodes": ["head"], "seconds": 5}
    assert _seconds("head", hooks={"on_node_start": [started]}) == _seconds("head") + 5
    assert _seconds("head", hooks={"on_node_updated": [started]}) == _seconds("head"), "not at a start"


def test_filesystems_are_made_side_by_side_and_only_the_engines_count() -> None:
    def extra(*storage: dict[str, Any]) -> int:
        return sum(item.seconds for item in _budget(storage=list(storage)).items if "filesystem" in item.what)

    assert extra(EFS) == CREATION_SECONDS["efs"]
    assert extra(EFS, LUSTRE) == CREATION_SECONDS["fsx-lustre"]
    assert extra(LUSTRE | {"managed_by": "stack"}) == 0
    assert extra(LUSTRE | {"id": "fs-" + "0" * 17}) == 0


def test_the_head_node_waits_for_static_nodes_which_start_side_by_side() -> None:
    assert _seconds(queues=_static(0)) == _seconds()
    assert _seconds(queues=_static(2)) == _seconds() + _seconds("compute")
    assert _seconds(queues=_static(8)) == _seconds(queues=_static(2))


@pytest.mark.parametrize("given", [None, 3000])
def test_the_engine_waits_as_long_as_the_document_says(given: int | None) -> None:
    head = MINIMAL["head_node"] | ({"bootstrap_timeout": given} if given else {})

    assert _budget(head_node=head, storage=[LUSTRE]).timeout == (given or 3900)
    assert _budget("compute").timeout == 2100


def test_a_start_that_fits_is_no_finding_and_a_second_more_is_one() -> None:
    def found(timeout: int) -> list[Any]:
        return list(
            budget_findings("demo", cluster(head_node=MINIMAL["head_node"] | {"bootstrap_timeout": timeout}))
        )

    seconds = _seconds()
    assert found(seconds) == []
    (finding,) = found(seconds - 1)
    assert (finding.rule, finding.severity) == ("boot-budget", Severity.WARNING)
    assert finding.path == ("head_node", "bootstrap_timeout")
    assert f"takes about {seconds} s, but ParallelCluster waits {seconds - 1} s" in finding.message
    assert "ParallelCluster 600 s" in finding.message
    assert f"bootstrap_timeout: {seconds} or more" in finding.hint


def test_compute_nodes_have_a_timeout_that_no_key_changes() -> None:
    slow = {"script": "site/build.sh", "nodes": ["compute"], "seconds": 3600}

    (finding,) = budget_findings("demo", cluster(hooks={"on_node_configured": [slow]}))

    assert finding.path == ("queues",)
    assert "hook site/build.sh 3600 s" in finding.message
    assert "custom_ami" in finding.hint
