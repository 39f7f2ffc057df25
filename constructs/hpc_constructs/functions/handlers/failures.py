"""Why a creation failed: the first failure, followed into the stacks in which it happened."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

import boto3
from botocore.exceptions import ClientError

from .stacks import owned

CANCELLED = re.compile(r"resource \w+ cancelled", re.IGNORECASE)
"""What CloudFormation says of resources that it gave up because another one failed: never a reason."""
DEPTH = 4
"""Our stack, the cluster's, its nested ones, and theirs."""


@dataclass(frozen=True)
class Failure:
    """A resource of a stack that failed, and CloudFormation's reason."""

    resource: str
    stack: str
    reason: str


def failure_chain(stack_id: str, cluster: str) -> list[Failure]:
    """What failed first, then what failed because of it, out to the stack itself; empty if nothing is recorded.

    ``cluster`` is the name of the cluster's own stack, which is deleted by now: its events can be read by its id.
    """
    return _follow(stack_id, stack_id, cluster, DEPTH)


def _follow(stack_id: str, owner: str, cluster: str, depth: int) -> list[Failure]:
    event = _first_failed(stack_id)
    if event is None:
        return []
    failure = Failure(event["LogicalResourceId"], _name(stack_id), event.get("ResourceStatusReason", "no reason"))
    inner = _within(event, owner, cluster)
    return [*(_attempt(inner, owner, cluster, depth - 1) if inner and depth > 1 else []), failure]


def _attempt(stack_id: str, owner: str, cluster: str, depth: int) -> list[Failure]:
    """The failures within; what is known already is worth telling where the rest cannot be read."""
    try:
        return _follow(stack_id, owner, cluster, depth)
    except ClientError as error:
        print(f"events of {stack_id} cannot be read: {error}")
        return []


def _within(event: dict[str, Any], owner: str, cluster: str) -> str | None:
    """The id of the stack that a failed resource stands for."""
    if event["ResourceType"] == "AWS::CloudFormation::Stack":
        return event.get("PhysicalResourceId") or None
    if event["ResourceType"] == "Custom::PclusterCluster":
        return owned(cluster, owner)
    return None


def _first_failed(stack_id: str) -> dict[str, Any] | None:
    pages = boto3.client("cloudformation").get_paginator("describe_stack_events").paginate(StackName=stack_id)
    newest_first = [event for page in pages for event in page["StackEvents"]]
    for event in reversed(newest_first):
        failed = event["ResourceStatus"].endswith("_FAILED") and event.get("PhysicalResourceId") != stack_id
        if failed and not CANCELLED.match(event.get("ResourceStatusReason", "")):
            return event
    return None


def _name(stack_id: str) -> str:
    return stack_id.split("/")[1] if "/" in stack_id else stack_id
