"""Nothing stands on everything, and no action means a whole service, but what is listed with its reason."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fnmatch import fnmatchcase
from typing import Any

from hpc_constructs.identity.rendering_allowances import ON_EVERYTHING, SERVICE_WIDE, Allowance
from tests.privilege.documents import Paper, listed, policies
from tests.privilege.world import World


def problems(world: World) -> list[str]:
    """What is not listed, and what is listed and not needed."""
    everywhere = [*_uses(world, _on_everything)]
    wide = [*_uses(world, _service_wide)]
    found = [f"{use}: {action} on *" for use, *_, action in _uncovered(everywhere, ON_EVERYTHING)]
    found += [f"{use}: {action} is a whole service" for use, *_, action in _uncovered(wide, SERVICE_WIDE)]
    found += [f"nothing needs {text} on *" for text in _unused(everywhere, ON_EVERYTHING)]
    found += [f"nothing needs {text} for a whole service" for text in _unused(wide, SERVICE_WIDE)]
    found += [
        f"{paper.label} {statement['Sid']}: allows all but what it names"
        for paper in policies(world)
        for statement in paper.allows
        if {"NotAction", "NotResource"} & set(statement)
    ]
    return found


Use = tuple[str, str, list[str], str]
"""Where it stands, the policy's logical id, the condition keys and the action."""


def _uses(world: World, wanted: Any) -> Iterator[Use]:
    for paper in policies(world):
        for statement in paper.allows:
            conditions = [key for block in statement.get("Condition", {}).values() for key in block]
            for action in wanted(paper, statement):
                yield f"{paper.label} {statement['Sid']}", paper.logical_id, conditions, action


def _on_everything(paper: Paper, statement: dict[str, Any]) -> list[str]:
    everything = any(set(resource) <= set("*:/") for resource in listed(statement.get("Resource", [])))
    return listed(statement["Action"]) if everything else []


def _service_wide(paper: Paper, statement: dict[str, Any]) -> list[str]:
    return [
        action for action in listed(statement.get("Action", [])) if fnmatchcase(action, "*[*]") and _all(action)
    ]


def _all(action: str) -> bool:
    return action == "*" or action.partition(":")[2].strip("*") == ""


def _uncovered(uses: Sequence[Use], table: Sequence[Allowance]) -> list[Use]:
    return [
        use
        for use in uses
        if not any(row.covers(policy, action, keys) for row in table for _, policy, keys, action in [use])
    ]


def _unused(uses: Sequence[Use], table: Sequence[Allowance]) -> list[str]:
    needed = {
        (id(row), action) for row in table for _, policy, keys, action in uses if row.covers(policy, action, keys)
    }
    found = [
        f"{action} of {', '.join(row.policies)}"
        for row in table
        for action in row.names
        if (id(row), action) not in needed
    ]
    used = {
        (id(row), policy) for row in table for _, policy, keys, action in uses if row.covers(policy, action, keys)
    }
    found += [
        f"the line of {each}: {row.why}" for row in table for each in row.policies if (id(row), each) not in used
    ]
    return found
