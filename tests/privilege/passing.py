"""A role is passed to EC2, Lambda or AWS Backup and to nothing else, and it is ours."""

from __future__ import annotations

from fnmatch import fnmatchcase
from typing import Any

from tests.privilege.documents import Paper, listed, policies
from tests.privilege.world import World

SERVICES = {"ec2.amazonaws.com", "ec2.amazonaws.com.cn", "lambda.amazonaws.com"}
BACKUP = {"backup.amazonaws.com"}
"""Takes a role of storage stacks, which only CloudFormation's execution role passes to it."""
KEY = "iam:PassedToService"


def problems(world: World) -> list[str]:
    """Statements that let a role pass to anybody, or any role to somebody."""
    return [
        f"{paper.label} {statement['Sid']}: {text}"
        for paper in policies(world)
        for statement in paper.allows
        if any(fnmatchcase("iam:passrole", action.lower()) for action in listed(statement["Action"]))
        for text in _of(statement, paper)
    ]


def _of(statement: dict[str, Any], paper: Paper) -> list[str]:
    condition = statement.get("Condition", {})
    services = {
        service
        for operator in ("StringEquals", "StringEqualsIfExists")
        for service in listed(condition.get(operator, {}).get(KEY, []))
    }
    found = []
    if not services:
        found.append("PassRole without iam:PassedToService")
    meant = SERVICES | (BACKUP if paper.logical_id == "ExecutionIdentity" else set())
    if services - meant:
        found.append(f"PassRole to {sorted(services - meant)}")
    if paper.logical_id == "Boundary" and "StringEquals" not in condition:
        found.append("PassRole of nodes where the request does not name a service")
    for resource in listed(statement["Resource"]):
        given = _given(paper)
        if ":role/clusterform/" not in resource and resource not in given:
            found.append(f"PassRole of {resource}, which is no cluster's")
    return found


def _given(paper: Paper) -> list[str]:
    """Roles of the organisation's for the cluster's functions."""
    raw = getattr(getattr(paper.stack.loaded.spec, "parallelcluster", None), "raw", {})
    roles = raw.get("Iam", {}).get("Roles", {})
    return [roles["LambdaFunctionsRole"]] if "LambdaFunctionsRole" in roles else []
