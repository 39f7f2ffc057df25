"""Clusters whose names are alike stay apart."""

from __future__ import annotations

import re

import pytest

from hpc_constructs.identity.rendering_scope import NESTED_STACKS
from pcluster_rules.install import ensure, versions
from tests.iam.resolver import PARTITIONS
from tests.privilege import siblings as check
from tests.privilege.world import siblings


@pytest.mark.parametrize("partition", PARTITIONS)
def test_no_role_reaches_what_is_another_clusters(partition: str) -> None:
    assert check.problems(siblings(partition)) == []


@pytest.mark.parametrize("version", versions())
def test_nested_stacks_and_login_groups_are_called_as_the_policies_say(version: str) -> None:
    """By the source of each version: a stack of another name could not be created."""
    templates = ensure(version) / "pcluster/templates"
    nested = {
        name: re.findall(rf'\b{name}\(\s*scope=self(?:\.stack)?,\s*id="(\w+)"', text)
        for path in templates.glob("*.py")
        for text in [path.read_text(encoding="utf-8")]
        for name in ("ComputeFleetConstruct", "LoginNodesStack", "QueuesStack")
        if f" {name}(\n" in text
    }
    classes = [
        name
        for path in templates.glob("*.py")
        for name in re.findall(r"^class (\w+)\(NestedStack\)", path.read_text(encoding="utf-8"), re.M)
    ]
    assert sorted(classes) == ["LoginNodesStack", "QueuesStack"]
    assert nested == {
        "ComputeFleetConstruct": ["ComputeFleet"],
        "LoginNodesStack": ["LoginNodes"],
        "QueuesStack": ["Queues"],
    }
    assert NESTED_STACKS == ("ComputeFleet*NestedStack*", "LoginNodes*NestedStack*")
    login = (templates / "login_nodes_stack.py").read_text(encoding="utf-8")
    assert 'auto_scaling_group_name=f"{self._login_nodes_stack_id}-AutoScalingGroup"' in login
    assert 'f"{self._config.cluster_name}-{pool.name}",' in login
